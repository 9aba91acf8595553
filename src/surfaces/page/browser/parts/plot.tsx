/** A chart of bars, in the colours of the page, with its gist in words for those who can't see it. */
import { useState } from 'preact/hooks';

export interface PlotProps {
  readonly title: string;
  readonly gist: string;
  /** Null: not known, so no bar. */
  readonly ys: readonly (number | null)[];
  readonly sayX: (at: number) => string;
  readonly sayY: (y: number) => string;
  readonly tone: 'accent' | 'good' | 'working';
}

/** Fewer bars than this stay as narrow, so that one does not fill the chart. */
const MIN_BARS_PER_WIDTH = 12;
/** More bars than this stand without gaps, which would be thinner than a pixel. */
const MAX_BARS_WITH_GAPS = 100;

export function Plot({ title, gist, ys, sayX, sayY, tone }: PlotProps) {
  const [at, setAt] = useState(-1);
  const here = ys[at] ?? null;
  const most = Math.max(...ys.map((y) => y ?? 0));
  const width = Math.max(MIN_BARS_PER_WIDTH, ys.length);
  const gap = ys.length > MAX_BARS_WITH_GAPS ? 0 : 0.15;
  // One path for all: a change of the figures changes one attribute.
  const bars = ys.map((y, k) => (y ? `M${k + gap} 1V${1 - y / most}H${k + 1 - gap}V1z` : ''));
  return (
    <figure class="card pad stack tight">
      <figcaption class="line small">
        <strong>{title}</strong>
        <span class="end faint">{here === null ? gist : `${sayX(at)}: ${sayY(here)}`}</span>
      </figcaption>
      <div class="faint fine">
        {sayY(most)}
        <svg
          class={`plot ${tone}`}
          viewBox={`0 0 ${width} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${gist}`}
          onPointerMove={({ currentTarget, offsetX }) =>
            setAt(Math.floor((offsetX / currentTarget.clientWidth) * width))
          }
          onPointerLeave={() => setAt(-1)}
        >
          <path d={bars.join('')} fill="currentColor" />
        </svg>
        {sayX(0)} – {sayX(ys.length - 1)}
      </div>
    </figure>
  );
}
