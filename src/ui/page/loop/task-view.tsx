/** What was asked for: the prompt, the limits, how it runs, and what was kept as evidence. */
import type { JSX } from 'preact';
import type { LoopCard, LoopDetail } from '../../wire.ts';
import { EvidenceButton } from './evidence.tsx';
import { fullTime } from '../data/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Facts, NotYet } from '../parts/parts.tsx';

export function TaskView({
  card,
  detail,
}: {
  readonly card: LoopCard;
  readonly detail: LoopDetail | null;
}): JSX.Element {
  if (detail === null) return <NotYet error={null} />;
  const { protect } = detail;
  const rows: readonly (readonly [string, string | null])[] = [
    ['Project', card.project],
    ['Driver', card.driver === 'fresh' ? 'dacapo run, a new agent for each pass' : 'one session'],
    ['Started', fullTime(card.startedAt)],
    ['Protected', protect.length === 0 ? null : protect.join(', ')],
    ...detail.plan,
  ];
  return (
    <div class="stack">
      <section class="card">
        <div class="card-head">
          <h2>Prompt</h2>
        </div>
        <p class="prose">{detail.asked === '' ? 'The prompt can’t be read.' : detail.asked}</p>
      </section>
      <section class="card">
        <div class="card-head">
          <h2>How it runs</h2>
        </div>
        <Facts rows={rows} more="card-body" />
      </section>
      {detail.evidence.length > 0 && (
        <section class="card">
          <div class="card-head">
            <h2>Evidence</h2>
            <span class="faint">{detail.evidence.length}</span>
          </div>
          <ul class="card-body chips">
            {detail.evidence.map((name) => (
              <li key={name}>
                <EvidenceButton id={card.id} name={name}>
                  <Icon name="file" /> <span class="one-line">{name}</span>
                </EvidenceButton>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
