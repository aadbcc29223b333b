import { formatDateTime } from '../lib/format'

type Props = { events: readonly { at: string; text: string; note?: string | null }[] }

/** What happened to a record, in the order of `events`: oldest first. */
export const Timeline = ({ events }: Props) => (
  <ol className="border-l border-rule-strong pl-5">
    {events.map(({ at, text, note }) => (
      <li
        key={`${at} ${text}`}
        className="relative pb-4 text-sm before:absolute before:top-1.5 before:-left-[calc(1.25rem+4px)] before:size-[7px] before:rounded-full before:bg-gold"
      >
        <p className="wrap-anywhere">
          {text}
          {note && <span className="text-muted">{` (${note})`}</span>}
        </p>
        <time dateTime={at} className="tabular-figures text-muted">
          {formatDateTime(at)}
        </time>
      </li>
    ))}
  </ol>
)
