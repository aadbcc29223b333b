import { useId, useState } from 'react'

/**
 * The etching in the run-out groove: a real button that reveals the hidden line and raises `easter-egg` on window, with
 * the line as its detail. Nothing stands here for an artist without a line.
 */
export function EndGroove({ lyric }: { lyric: string }) {
  const line = useId()
  const [isRevealed, setRevealed] = useState(false)
  if (lyric === '') return null
  return (
    <div className="run-out">
      <button
        type="button"
        className="run-out-etching"
        aria-expanded={isRevealed}
        aria-controls={line}
        onClick={() => {
          setRevealed(true)
          window.dispatchEvent(new CustomEvent('easter-egg', { detail: { lyric } }))
        }}
      >
        Run-out groove, side A
      </button>
      <p id={line} aria-live="polite" className="run-out-line">
        {isRevealed && <span className="foil-text font-display">{lyric}</span>}
      </p>
    </div>
  )
}
