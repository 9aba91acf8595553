/** One entry of the timeline. It is drawn again only if it changed, or was opened or closed. */
import { Component } from 'preact';
import type { LoopCard, StoryCheck, StoryEntry, StoryIteration, StoryMoment } from '#surfaces/page/wire.ts';
import { EvidenceButton } from '../parts/dialog.tsx';
import { isCostKnown, sayCost, sayCount, sayUse } from '#law/words/figures.ts';
import { rowsOf } from '#telling/story/rows.ts';
import { lasting } from '../data/format.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { capital, Clock, Facts, GateIcon, gateStanding, Rich, sentence } from '../parts/parts.tsx';

type OfLoop = Pick<LoopCard, 'id'>;

interface Props extends OfLoop {
  readonly entry: StoryEntry;
  readonly isOpen: boolean;
  readonly toggle: (seq: number) => void;
}

export class TimelineEntry extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { entry, isOpen } = this.props;
    return next.isOpen !== isOpen || JSON.stringify(next.entry) !== JSON.stringify(entry);
  }

  override render({ id, entry }: Props) {
    return entry.is === 'moment' ? (
      <TimelineNote id={id} moment={entry} />
    ) : (
      <Iteration {...this.props} entry={entry} />
    );
  }
}

const MOMENT_ICONS: Readonly<Record<StoryMoment['tone'], IconName>> = {
  plain: 'circle',
  good: 'check',
  warning: 'warn',
  bad: 'cross',
  person: 'person',
};

function TimelineNote({ id, moment }: OfLoop & { readonly moment: StoryMoment }) {
  const { tone, says, at, type, evidence } = moment;
  return (
    <li class={`beat moment ${tone}`}>
      <span class="beat-node">
        <Icon name={MOMENT_ICONS[tone]} />
      </span>
      <div class="beat-now beat-line faint small">
        <span class="words">
          <strong>{capital(type)}</strong> <Rich words={says} />{' '}
          {evidence !== null && <EvidenceButton id={id} name={evidence} />}
        </span>
        <Clock at={at} look="end" />
      </div>
    </li>
  );
}

const VERDICT_ICONS: Readonly<Record<NonNullable<StoryIteration['verdict']>['is'], IconName>> = {
  complete: 'check',
  continue: 'arrow',
  escalate: 'hand',
  exhaust: 'cross',
  allow: 'pause',
};

function Iteration({ id, entry, isOpen, toggle }: Props & { readonly entry: StoryIteration }) {
  const { title, word, tone, ms, verdict, used, stoppedAt, item, said, claimed, checks, features } = entry;
  return (
    <li class="beat">
      <span class={`beat-node ${verdict === null ? 'working' : tone}`}>
        <Icon name={verdict === null ? 'pulse' : VERDICT_ICONS[verdict.is]} />
      </span>
      <div>
        <button class="beat-open" aria-expanded={isOpen} onClick={() => toggle(entry.seq)}>
          <span class="beat-line">
            <span class="strong beat-name">{title}</span>
            <span class="soft">{word}</span>
            <span class="line end faint small">
              {ms > 0 && <span>{lasting(ms)}</span>}
              {used !== null && isCostKnown(used) && <span class="wide">{sayCost(used)}</span>}
              <Clock at={stoppedAt} look="wide" />
            </span>
          </span>
          {item !== null && <span class="soft words clamp beat-words">{item}</span>}
          {said !== null && <Rich as="span" look="soft words clamp beat-words" words={said} />}
        </button>
        {(claimed !== null || checks.length > 0 || features !== null) && (
          <div class="wrap chips">
            {claimed !== null && (
              <span class="chip">
                <Icon name="talk" /> {claimed}
              </span>
            )}
            {checks.map((check) => (
              <CheckChip key={check.command} id={id} check={check} />
            ))}
            {features !== null && (
              <span class="chip">
                {features.passing} of {features.total} features
              </span>
            )}
          </div>
        )}
      </div>
      {isOpen && <More id={id} entry={entry} />}
    </li>
  );
}

function CheckChip({ id, check }: OfLoop & { readonly check: StoryCheck }) {
  const { holds, name, command, evidence } = check;
  const tone = gateStanding(holds);
  const content = (
    <>
      <GateIcon is={tone} />
      <span class="one-line">{name ?? command}</span>
    </>
  );
  return evidence === null ? (
    <span class={`chip ${tone}`}>{content}</span>
  ) : (
    <EvidenceButton id={id} name={evidence} tone={tone}>
      {content}
      <span class="hidden">: open the evidence</span>
    </EvidenceButton>
  );
}

function More({ id, entry }: OfLoop & { readonly entry: StoryIteration }) {
  const { verdict, used, context, commit, model, session } = entry;
  const rows = rowsOf(entry);
  const missing = rows.filter(({ is }) => is === 'missing');
  const others = rows.filter(({ is }) => is === 'gate' || is === 'hook');
  const checks = rows.flatMap(({ check, words }) => (check === null ? [] : [{ check, words }]));
  return (
    <div class="card pad stack beat-more">
      {verdict !== null && (
        <div>
          <h3 class="faint fine medium">Why</h3>
          {missing.map(({ words }) => (
            <Rich as="p" key={words} words={sentence(words)} />
          ))}
          <p class={missing.length > 0 ? 'soft' : ''}>{verdict.rule.says}</p>
        </div>
      )}
      {checks.length > 0 && (
        <div>
          <h3 class="faint fine medium">Proven by Da Capo</h3>
          {checks.map(({ check, words }) => (
            <Proof key={check.command} id={id} check={check} words={words} />
          ))}
        </div>
      )}
      {others.length > 0 && (
        <div>
          <h3 class="faint fine medium">Also looked at</h3>
          {others.map(({ holds, words }) => (
            <Rich as="p" key={words} look={LOOKS[gateStanding(holds)]} words={sentence(words)} />
          ))}
        </div>
      )}
      <Facts
        rows={[
          ['Judged', verdict === null ? 'not yet' : `rule ${verdict.rule.number}, ${verdict.rule.name}`],
          ['Model', model],
          ['Used', used && sayUse(used)],
          [
            'Context',
            context &&
              `${sayCount(context.tokens)}${context.window ? ` of ${sayCount(context.window)}` : ''} tokens`,
          ],
          [commit?.onBranch ? 'Commit' : 'Point', commit && <code>{commit.id.slice(0, 12)}</code>],
          ['Session', <code>{session}</code>],
        ]}
      />
    </div>
  );
}

/** A gate that is open is shown as any text. */
const LOOKS = { held: 'held', failing: 'failing', open: '' } as const;

interface ProofProps extends OfLoop {
  readonly check: StoryCheck;
  readonly words: string;
}

function Proof({ id, check, words }: ProofProps) {
  const { holds, tail, evidence } = check;
  return (
    <div class="stack tight">
      <div class="wrap">
        <GateIcon is={gateStanding(holds)} />
        <Rich as="span" look="words" words={words} />
        {evidence !== null && <EvidenceButton id={id} name={evidence} />}
      </div>
      {tail !== '' && <pre class="sunk pre words">{tail}</pre>}
    </div>
  );
}
