/**
 * Dialogs of the browser's own, which keep the focus inside and close by Escape; and evidence, a click away
 * in one.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ComponentChildren as Content } from 'preact';
import type { Evidence } from '#surfaces/page/wire.ts';
import { loopPath } from '../data/api.ts';
import { plural } from '../data/format.ts';
import { useOnce } from '../data/loop-data.ts';
import { Icon } from './icons.tsx';
import { instead, NotYet } from './parts.tsx';

type DialogProps = Readonly<{ title: string; close: () => void; foot?: Content; children: Content }>;

export function Dialog({ title, close, foot, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = box.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      class="card"
      ref={box}
      aria-label={title}
      onCancel={instead(close)}
      onClick={(event) => {
        if (event.target === box.current) close();
      }}
    >
      <div class="line">
        <h2>{title}</h2>
        <button class="button quiet icon end" aria-label="Close" onClick={close}>
          <Icon name="cross" />
        </button>
      </div>
      <div class="dialog-body" tabIndex={0}>
        {children}
      </div>
      {foot !== undefined && <div class="line">{foot}</div>}
    </dialog>
  );
}

type EvidenceButtonProps = Readonly<{ id: string; name: string; tone?: string; children?: Content }>;

export function EvidenceButton({ id, name, tone = '', children }: EvidenceButtonProps) {
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

/** Shown as text, whatever it holds. */
function EvidenceDialog({ id, name, close }: Readonly<{ id: string; name: string; close: () => void }>) {
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
