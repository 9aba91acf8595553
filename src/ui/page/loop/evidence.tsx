/** Evidence a click away: the output of a check, the stream of a pass. It is shown as text, whatever it holds. */
import { useState } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import type { Evidence } from '../../wire.ts';
import { loopPath } from '../data/api.ts';
import { Dialog } from '../parts/dialog.tsx';
import { plural } from '../data/format.ts';
import { useOnce } from '../data/loop-data.ts';
import { Icon } from '../parts/icons.tsx';
import { NotYet } from '../parts/parts.tsx';

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
      <button class={`chip ${tone}`} title={`Evidence: ${name}`} onClick={() => setIsOpen(true)}>
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
  const { value, error } = useOnce<Evidence>(loopPath(id, `/evidence/${encodeURIComponent(name)}`));
  return (
    <Dialog title={name} close={close}>
      {value === null ? (
        <NotYet error={error} />
      ) : (
        <>
          {value.cut > 0 && <p class="faint">{plural(value.cut, 'character')} in the middle are left out.</p>}
          <pre class="pre words">{value.text === '' ? '(no output)' : value.text}</pre>
        </>
      )}
    </Dialog>
  );
}
