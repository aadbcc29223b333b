import { useLayoutEffect, useRef } from 'react'
import type { Lyrics, ReleaseTrack } from '../../worker/contract/releases'
import type { ReleasePlayback } from './release-playback'

type Props = { track: ReleaseTrack; lyrics: Lyrics; playback: ReleasePlayback }

/** Timed lyrics highlight the current line, and a press of a line seeks to it. Other lyrics are plain text. */
export function LyricsSection({ track, lyrics, playback }: Props) {
  const position = playback.positionIn(track)
  const activeLine = position === null ? -1 : lyrics.lines.findLastIndex(({ at }) => at <= position)
  const canSeek = playback.isPlayable(track)
  const list = useScrollToActiveLine(activeLine)
  return (
    <section aria-labelledby="lyrics" className="mt-12">
      <h2 id="lyrics" className="mb-6 border-t-2 border-gold pt-4 font-display text-xl">
        Lyrics
      </h2>
      {lyrics.lines.length === 0 ? (
        <div className="lyrics-plain">
          {stanzasOf(lyrics.plain).map(({ id, lines }) => (
            <p key={id}>
              {lines.map((line) => (
                <span key={line.id}>{line.text}</span>
              ))}
            </p>
          ))}
        </div>
      ) : (
        <ol ref={list} className="lyrics-timed" data-following={activeLine >= 0 || undefined}>
          {lyrics.lines.map(({ at, text }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines can share a time, and their order does not change.
            <li key={index} aria-current={index === activeLine || undefined}>
              {text === '' && <span className="block h-4" />}
              {text !== '' && canSeek && (
                <button type="button" onClick={() => playback.playFrom(track, at)}>
                  {text}
                </button>
              )}
              {!canSeek && text}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** Scrolls with the current line unless the visitor has scrolled it out of view. Returns the ref for the list. */
function useScrollToActiveLine(activeLine: number) {
  const list = useRef<HTMLOListElement>(null)
  const previousLine = useRef(activeLine)
  useLayoutEffect(() => {
    const lines = list.current?.children
    const previous = lines?.[previousLine.current]
    previousLine.current = activeLine
    if (previous && isInView(previous)) lines?.[activeLine]?.scrollIntoView({ block: 'nearest' })
  }, [activeLine])
  return list
}

/** Whether a line is visible between the fixed bars at the top and the bottom. */
function isInView(line: Element): boolean {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement)
  const { top, bottom } = line.getBoundingClientRect()
  return top >= Number.parseFloat(scrollPaddingTop) && bottom <= innerHeight - Number.parseFloat(scrollPaddingBottom)
}

/** Stanzas and lines with ids as React keys, because lines can repeat. */
const stanzasOf = (text: string) =>
  text.split(/\n\s*\n/).map((stanza, index) => ({
    id: `stanza-${index}`,
    lines: stanza.split('\n').map((line, position) => ({ id: `line-${position}`, text: line })),
  }))
