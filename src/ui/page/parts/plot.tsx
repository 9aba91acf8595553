/** A chart: uPlot on a canvas, in the colours of the page, with its gist in words for those who can't see it. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { isDark } from '../theme.ts';

export interface PlotProps {
  readonly title: string;
  /** The figure that matters, in words. */
  readonly gist: string;
  readonly xs: readonly number[];
  readonly ys: readonly (number | null)[];
  readonly sayX: (x: number) => string;
  readonly sayY: (y: number) => string;
  readonly how: 'bars' | 'line';
  readonly colour?: 'accent' | 'good' | 'info';
  /** The steps of the axis, smallest first, where tens and hundreds are not round. */
  readonly steps?: readonly number[];
}

const HEIGHT = 176;
const AXIS_FONT = '11px Inter, system-ui, sans-serif';

export function Plot(props: PlotProps) {
  const { title, gist, xs, ys } = props;
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const here = useRef<HTMLSpanElement>(null);
  const dark = isDark.value;
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const show = (words: string) => {
      if (here.current !== null) here.current.textContent = words;
    };
    const made = new uPlot(optionsOf(props, element, show), dataOf(xs, ys), element);
    plot.current = made;
    const sizes = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height: HEIGHT }));
    sizes.observe(element);
    return () => {
      sizes.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [dark, props.how]);
  useEffect(() => plot.current?.setData(dataOf(xs, ys)), [xs, ys]);
  return (
    <figure class="card pad stack tight">
      <figcaption class="line small">
        <strong>{title}</strong>
        <span class="end faint num" ref={here}>
          {gist}
        </span>
      </figcaption>
      <div ref={box} role="img" aria-label={`${title}: ${gist}`} />
    </figure>
  );
}

function dataOf(xs: readonly number[], ys: readonly (number | null)[]): uPlot.AlignedData {
  return [[...xs], [...ys]];
}

function optionsOf(
  { how, colour = 'accent', gist, sayX, sayY, steps }: PlotProps,
  element: HTMLElement,
  show: (words: string) => void,
): uPlot.Options {
  const line = colourOf('line', element);
  const faint = colourOf('faint', element);
  const fill = colourOf(`${colour}-fill`, element);
  const axis = { stroke: faint, font: AXIS_FONT, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [8, 6, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: true, y: false } },
    // Half a bar stands out on either side of the first and the last.
    scales: {
      x: { time: false, ...(how === 'bars' && { range: (_, min, max) => [min - 0.6, max + 0.6] }) },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 26, values: (_, ticks) => ticks.map(whole(sayX)) },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        size: 52,
        values: (_, ticks) => ticks.map(sayY),
        space: 40,
        ...(steps !== undefined && { incrs: [...steps] }),
      },
    ],
    series: [
      {},
      {
        stroke: fill,
        fill: how === 'bars' ? fill : fill.replace(')', ' / 13%)').replaceAll(',', ''),
        width: how === 'bars' ? 0 : 1.75,
        points: { show: false },
        spanGaps: true,
        ...(how === 'bars' &&
          uPlot.paths.bars !== undefined && { paths: uPlot.paths.bars({ size: [0.7, 28], radius: 0.15 }) }),
      },
    ],
    hooks: {
      setCursor: [
        ({ cursor: { idx }, data }) => {
          const x = idx === null || idx === undefined ? undefined : data[0][idx];
          const y = idx === null || idx === undefined ? undefined : data[1]?.[idx];
          show(x === undefined || y === undefined || y === null ? gist : `${sayX(x)}: ${sayY(y)}`);
        },
      ],
    },
  };
}

/** As `rgb(…)`: a canvas knows no variables, and does not know whether the page is dark. */
function colourOf(name: string, element: HTMLElement): string {
  element.style.color = `var(--${name})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

/** Between two whole numbers there is no iteration and no day. */
function whole(say: (x: number) => string): (x: number) => string {
  return (x) => (Number.isInteger(x) ? say(x) : '');
}
