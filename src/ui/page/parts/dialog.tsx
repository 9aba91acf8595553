/** A dialog of the browser's own: it keeps the focus inside, and Escape closes it. */
import { useEffect, useRef } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { Icon } from './icons.tsx';

export function Dialog({
  title,
  close,
  foot,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
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
      ref={box}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
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
