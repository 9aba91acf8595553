/** What was asked for: the prompt, the limits, how it runs, and what was kept as evidence. */
import { EvidenceButton } from '../parts/dialog.tsx';
import { fullTime } from '../data/format.ts';
import { Icon } from '../parts/icons.tsx';
import { Card, Facts, NotYet } from '../parts/parts.tsx';
import type { Shown } from './loop-aside.tsx';

export function TaskView({ card, detail }: Shown) {
  if (detail === null) return <NotYet error={null} />;
  const { protect, asked, plan, evidence } = detail;
  return (
    <div class="stack">
      <Card title="Prompt">
        <p class="card-body words pre">{asked === '' ? 'The prompt can’t be read.' : asked}</p>
      </Card>
      <Card title="How it runs">
        <div class="card-body">
          <Facts
            rows={[
              ['Project', card.project],
              ['Host', card.host],
              ['Driver', card.driver === 'fresh' ? 'dacapo run, a new agent for each pass' : 'one session'],
              ['Started', fullTime(card.startedAt)],
              ['Protected', protect.length === 0 ? null : protect.join(', ')],
              ...plan,
            ]}
          />
        </div>
      </Card>
      {evidence.length > 0 && (
        <Card title="Evidence" aside={evidence.length}>
          <ul class="card-body wrap">
            {evidence.map((name) => (
              <li key={name}>
                <EvidenceButton id={card.id} name={name}>
                  <Icon name="file" /> <span class="one-line">{name}</span>
                </EvidenceButton>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  );
}
