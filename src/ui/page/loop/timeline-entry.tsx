/** One entry of the timeline. It is drawn again only if it changed, or was opened or closed. */
import { Component, type JSX } from 'preact';
import type { StoryCheck, StoryEntry, StoryIteration, StoryMoment } from '../../wire.ts';
import { EvidenceButton } from './evidence.tsx';
import { sayCount, sayUsd } from '../../../core/words/figures.ts';
import { clock, fullTime, lasting } from '../data/format.ts';
import { Icon, type IconName } from '../parts/icons.tsx';
import { capital, Facts, Rich, sentence } from '../parts/parts.tsx';

interface Props {
  readonly id: string;
  readonly entry: StoryEntry;
  readonly isOpen: boolean;
  readonly toggle: (seq: number) => void;
}

export class TimelineEntry extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return next.entry !== this.props.entry || next.isOpen !== this.props.isOpen;
  }

  override render({ id, entry, isOpen }: Props): JSX.Element {
    return entry.is === 'moment' ? (
      <TimelineNote id={id} moment={entry} />
    ) : (
      <Iteration id={id} entry={entry} isOpen={isOpen} toggle={() => this.props.toggle(entry.seq)} />
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

function TimelineNote({ id, moment }: { readonly id: string; readonly moment: StoryMoment }): JSX.Element {
  const { tone, says, at, type, evidence } = moment;
  return (
    <li class={`beat moment ${tone}`}>
      <span class="beat-node">
        <Icon name={MOMENT_ICONS[tone]} />
      </span>
      <div class="beat-now beat-line">
        <span class="moment-words">
          <strong>{capital(type)}</strong> <Rich words={says} />{' '}
          {evidence !== null && <EvidenceButton id={id} name={evidence} />}
        </span>
        <span class="end">
          <time dateTime={at} title={fullTime(at)}>
            {clock(at)}
          </time>
        </span>
      </div>
    </li>
  );
}

interface Look {
  readonly icon: IconName;
  readonly tone: string;
  readonly words: string;
}

function lookOf({ verdict }: StoryIteration): Look {
  if (verdict === null) return { icon: 'pulse', tone: 'working', words: 'being judged' };
  if (verdict.isVoid) return { icon: 'circle', tone: '', words: 'not counted' };
  switch (verdict.is) {
    case 'complete':
      return { icon: 'check', tone: 'held', words: 'complete' };
    case 'continue':
      return { icon: 'arrow', tone: '', words: 'goes on' };
    case 'escalate':
      return { icon: 'hand', tone: 'needs-you', words: 'needs a person' };
    case 'exhaust':
      return { icon: 'cross', tone: 'failing', words: 'limit reached' };
    case 'allow':
      return { icon: 'pause', tone: '', words: 'waits' };
  }
}

const CLAIMS: Readonly<Record<StoryIteration['claim'], string | null>> = {
  done: 'claimed done',
  item: 'claimed an item',
  blocked: 'says it is blocked',
  asked: 'asks for a person',
  stuck: 'says it is stuck',
  none: null,
};

function Iteration({
  id,
  entry,
  isOpen,
  toggle,
}: {
  readonly id: string;
  readonly entry: StoryIteration;
  readonly isOpen: boolean;
  readonly toggle: () => void;
}): JSX.Element {
  const { icon, tone, words } = lookOf(entry);
  const claim = CLAIMS[entry.claim];
  const ms = Date.parse(entry.stoppedAt) - Date.parse(entry.beganAt);
  return (
    <li class="beat">
      <span class={`beat-node ${tone}`}>
        <Icon name={icon} />
      </span>
      <div class="beat-row">
        <button class="beat-open" aria-expanded={isOpen} onClick={toggle}>
          <span class="beat-line">
            <span class="beat-name">
              {entry.iteration === null ? `Stop ${entry.stop}` : `Iteration ${entry.iteration}`}
            </span>
            <span class="soft">{words}</span>
            <span class="end num">
              {ms > 0 && <span>{lasting(ms)}</span>}
              {entry.used !== null && <span class="wide">{sayUsd(entry.used.costUsd)}</span>}
              <time class="wide" dateTime={entry.stoppedAt} title={fullTime(entry.stoppedAt)}>
                {clock(entry.stoppedAt)}
              </time>
            </span>
          </span>
          {entry.item !== null && <span class="beat-words">{entry.item}</span>}
          {entry.said !== null && (
            <span class="beat-words">
              <Rich words={entry.said} />
            </span>
          )}
        </button>
        {(claim !== null || entry.checks.length > 0 || entry.features !== null) && (
          <div class="chips">
            {claim !== null && (
              <span class="chip">
                <Icon name="talk" /> {claim}
              </span>
            )}
            {entry.checks.map((check) => (
              <CheckChip key={check.command} id={id} check={check} />
            ))}
            {entry.features !== null && (
              <span class="chip num">
                {entry.features.passing} of {entry.features.total} features
              </span>
            )}
          </div>
        )}
      </div>
      {isOpen && <More id={id} entry={entry} />}
    </li>
  );
}

/** What Da Capo proved, and its evidence a click away. */
function CheckChip({ id, check }: { readonly id: string; readonly check: StoryCheck }): JSX.Element {
  const { is, name, command, evidence } = check;
  const passed = is === 'passed';
  const tone = passed ? 'held' : 'failing';
  const content = (
    <>
      <Icon name={passed ? 'check' : 'cross'} />
      <span class="one-line">{name ?? command}</span>
      <span class="hidden">{passed ? ' passed' : ' failed'}</span>
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

function More({ id, entry }: { readonly id: string; readonly entry: StoryIteration }): JSX.Element {
  const { verdict, checks, sights, hooks, used, context, commit, model, session } = entry;
  return (
    <div class="beat-more">
      {verdict !== null && (
        <div>
          <h3>Why</h3>
          {verdict.reasons.map((words) => (
            <p key={words}>
              <Rich words={sentence(words)} />
            </p>
          ))}
          <p class={verdict.reasons.length > 0 ? 'soft' : ''}>{verdict.rule.says}</p>
        </div>
      )}
      {checks.length > 0 && (
        <div>
          <h3>Proven by Da Capo</h3>
          {checks.map((check) => (
            <Proof key={check.command} id={id} check={check} />
          ))}
        </div>
      )}
      {sights.length + hooks.length > 0 && (
        <div>
          <h3>Also looked at</h3>
          {sights.map(({ gate, holds, says }) => (
            <p key={gate} class={holds ? 'held' : 'failing'}>
              <Rich words={sentence(says)} />
            </p>
          ))}
          {hooks.map((words) => (
            <p key={words}>
              <Rich words={words} />
            </p>
          ))}
        </div>
      )}
      <Facts
        rows={[
          ['Judged', verdict === null ? 'not yet' : `rule ${verdict.rule.number}, ${verdict.rule.name}`],
          ['Model', model],
          ['Used', used && `${sayUsd(used.costUsd)}, ${sayCount(used.tokens)} tokens`],
          ['Context', context && `${sayCount(context.tokens)}${ofWindow(context.window)} tokens`],
          [commit?.onBranch ? 'Commit' : 'Point', commit && <code>{commit.id.slice(0, 12)}</code>],
          ['Session', <code>{session}</code>],
        ]}
      />
    </div>
  );
}

function ofWindow(window: number | null): string {
  return window === null ? '' : ` of ${sayCount(window)}`;
}

function Proof({ id, check }: { readonly id: string; readonly check: StoryCheck }): JSX.Element {
  const { command, is, says, ms, tail, evidence } = check;
  return (
    <div class="proof">
      <div class="proof-head">
        <span class={is === 'passed' ? 'held' : 'failing'}>
          <Icon name={is === 'passed' ? 'check' : 'cross'} />
        </span>
        <code>{command}</code>
        <span class="faint">
          {says}, {lasting(ms)}
        </span>
        {evidence !== null && <EvidenceButton id={id} name={evidence} />}
      </div>
      {tail !== '' && <pre class="tail">{tail}</pre>}
    </div>
  );
}
