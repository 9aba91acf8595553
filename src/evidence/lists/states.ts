/**
 * The words for the status of an item in a list (`status: done`, `[WIP]`). Only a word for "done" ever counts
 * as done. An unknown word leaves the item open, so that no loop completes by a misunderstanding.
 */
import { wordList } from '#base/words/word-list.ts';

/** `held`: open, but not the next to work on. `unknown`: open as well, and the person is told. */
export type ItemState = 'done' | 'open' | 'held' | 'unknown';

const STATE_WORDS: Readonly<Record<Exclude<ItemState, 'unknown'>, string>> = {
  done: `done complete completed pass passed passes passing finished closed resolved success succeeded
    verified shipped merged ok 完成 已完成 通过 已通过 完了 완료 completado completada hecho terminado concluído concluido
    feito finalizado terminé fait erledigt fertig abgeschlossen fatto completato completata готово выполнено
    завершено сделано`,
  open: `open pending todo to_do not_started notstarted new planned ready queued backlog in_progress
    inprogress wip doing active started working fail failed fails failing error incomplete partial
    partially_complete partially_done untested not_tested unverified not_done not_implemented unimplemented
    draft testing review in_review needs_review needs_work reopened none no approved spec_ready ready_for_qa
    ready_for_review specified designed scheduled assigned 进行中 未开始 待办 待开始 待处理 未完成 進行中 未着手 진행중 진행_중 대기
    예정 미완료 시작_안함 pendiente en_progreso en_curso en_proceso por_hacer planificado pendente
    em_andamento em_progresso a_fazer planejado à_faire à_venir en_cours prévu offen in_arbeit
    in_bearbeitung ausstehend geplant da_fare in_corso pianificato в_работе в_процессе не_начато
    запланировано`,
  held: `blocked on_hold hold deferred postponed paused waiting skipped skip parked cancelled canceled wontfix
    wont_fix obsolete archived 暂停 已取消 已放弃 보류 취소 bloqueado bloqueada bloqué blockiert
    bloccato отложено заблокировано`,
};

const STATES: ReadonlyMap<string, ItemState> = new Map(
  (['done', 'open', 'held'] as const).flatMap((state) =>
    wordList(STATE_WORDS[state]).map((word): [string, ItemState] => [word, state]),
  ),
);

/** Signs that mean "done" when they stand alone. */
const TICKS = new Set(['✓', '✔', '✅', '☑', '√', '✔️', '☑️']);

/** Ignores a remark in parentheses after the word, and signs around it: `✅ Done (2025-01-02)`. */
export function stateOf(words: string): ItemState {
  const plain = words.trim();
  if (plain === '') return 'open';
  if (isTick(plain)) return 'done';
  const word = plain
    .replace(/\([^()]*\)$/, '')
    .toLowerCase()
    .replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
    .replace(/[\s-]+/g, '_');
  return STATES.get(word) ?? 'unknown';
}

export function isTick(mark: string): boolean {
  return mark === 'x' || mark === 'X' || TICKS.has(mark);
}
