/** Evidence a click away: the output of a check, the stream of a pass. It is shown as text, whatever it holds. */
import { useEffect, useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import type { Evidence } from '../../wire.ts';
import { get, loopPath, Refused } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { plural } from '../data/format.ts';
import { Icon } from '../parts/icons.tsx';

/** `tone`: of what the evidence shows. */
export function EvidenceButton({
  id,
  name,
  tone = '',
  children,
}: {
  readonly id: string;
  readonly name: string;
  readonly tone?: string;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button class={`chip act-chip ${tone}`} title={`Evidence: ${name}`} onClick={() => setIsOpen(true)}>
        {children ?? (
          <>
            <Icon name="file" /> Evidence
          </>
        )}
      </button>
      {isOpen && <EvidenceDialog id={id} name={name} close={() => setIsOpen(false)} />}
    </>
  );
}

function EvidenceDialog({
  id,
  name,
  close,
}: {
  readonly id: string;
  readonly name: string;
  readonly close: () => void;
}): JSX.Element {
  const [evidence, setEvidence] = useState<Evidence | Refused | null>(null);
  useEffect(() => {
    const aborter = new AbortController();
    get<Evidence>(loopPath(id, `/evidence/${encodeURIComponent(name)}`), aborter.signal).then(
      setEvidence,
      (error: unknown) => {
        if (error instanceof Refused) setEvidence(error);
      },
    );
    return () => aborter.abort();
  }, [id, name]);
  return (
    <Dialog title={name} close={close}>
      {evidence === null ? (
        <p class="loading">Loading …</p>
      ) : evidence instanceof Refused ? (
        <p class="notice">{evidence.message}</p>
      ) : (
        <>
          {evidence.cut > 0 && (
            <p class="faint">{plural(evidence.cut, 'character')} in the middle are left out.</p>
          )}
          <pre class="output">{evidence.text === '' ? '(no output)' : evidence.text}</pre>
        </>
      )}
    </Dialog>
  );
}
