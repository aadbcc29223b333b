import { clsx } from 'clsx'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { parseLyrics } from '../../worker/contract/lyrics'
import { Button } from '../ui/Button'
import { TextAreaField } from '../ui/Field'
import { GroupError } from '../ui/FormError'
import { focusOnMount } from '../ui/focus'
import { FilePicker } from '../uploads/FilePicker'
import { type LyricsTiming, setLineTime, shiftLineTime, startTiming, toLrc, undoLineTime } from './lyrics-timing'

type Props = {
  value: string
  onChange: (lyrics: string) => void
  durationSeconds: number
  /** URL of the saved audio file; null without one. */
  audioUrl: string | null
  error?: string
}

const MAX_ERRORS = 3
const MAX_FILE_BYTES = 100_000

/** A field for plain lyrics or LRC. Its timer adds a time to each line while the track plays. */
export function LyricsField({ value, onChange, durationSeconds, audioUrl, error }: Props) {
  const root = useRef<HTMLDivElement>(null)
  const [isTiming, setIsTiming] = useState(false)
  const [fileError, setFileError] = useState<string>()
  // While the field of the length is empty, no time is too late.
  const lastSecond = durationSeconds || Number.POSITIVE_INFINITY
  const { lyrics, errors } = parseLyrics(value, lastSecond)

  async function readFile(file: File) {
    setFileError(undefined)
    if (file.size > MAX_FILE_BYTES) return setFileError('Please choose a text file of at most 100 KB.')
    const text = (await file.text()).replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
    const line = text.split('\n').findIndex((lineText) => lineText.includes('\uFFFD')) + 1
    if (line > 0)
      return setFileError(`Line ${line} is not UTF-8 text. Please save the file as UTF-8, then choose it again.`)
    onChange(text)
  }
  function selectLine(line: number) {
    const area = root.current?.querySelector('textarea')
    if (!area) return
    const start = value.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0)
    const end = value.indexOf('\n', start)
    area.focus()
    area.setSelectionRange(start, end === -1 ? value.length : end)
  }
  function closeTimer() {
    setIsTiming(false)
    setTimeout(() => root.current?.querySelector('textarea')?.focus())
  }
  if (isTiming && audioUrl)
    return (
      <LyricsTimer
        text={value}
        durationSeconds={lastSecond}
        audioUrl={audioUrl}
        onDone={(lrc) => {
          onChange(lrc)
          closeTimer()
        }}
        onCancel={closeTimer}
      />
    )
  return (
    <div ref={root} className="sm:col-span-2">
      <TextAreaField
        label="Lyrics"
        rows={8}
        value={value}
        error={fileError ?? (errors.length === 0 ? error : undefined)}
        hint={
          lyrics.lines.length > 0 && errors.length === 0
            ? `${lyrics.lines.length} timed lines.`
            : 'Plain text, or LRC with a time before each line: [01:23.45].'
        }
        onChange={(event) => onChange(event.target.value)}
      />
      {errors.length > 0 && (
        <ul role="alert" className="mt-1 text-sm text-sunset">
          {errors.slice(0, MAX_ERRORS).map(({ line, message }) => (
            <li key={line} className="flex flex-wrap items-center gap-x-3">
              Line {line}: {message}
              <Button
                variant="text"
                className="px-0!"
                aria-label={`Show line ${line}`}
                onClick={() => selectLine(line)}
              >
                Show
              </Button>
            </li>
          ))}
          {errors.length > MAX_ERRORS && <li>And {errors.length - MAX_ERRORS} more.</li>}
        </ul>
      )}
      <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-3">
        <FilePicker
          label="Lyrics: choose a file"
          accept=".lrc,.txt,text/plain"
          onPick={(file) => void readFile(file).catch(() => setFileError('That file could not be read.'))}
        >
          Choose an LRC file
        </FilePicker>
        {audioUrl ? (
          <Button disabled={value.trim() === ''} onClick={() => setIsTiming(true)}>
            Time the lines
          </Button>
        ) : (
          <p className="text-sm text-muted">Save a recording to time the lines while it plays.</p>
        )}
      </div>
    </div>
  )
}

type TimerProps = {
  text: string
  durationSeconds: number
  audioUrl: string
  onDone: (lrc: string) => void
  onCancel: () => void
}

const SHIFT_SECONDS = 0.1

/** Plays the track; each press of the button sets the time of the next line. */
function LyricsTimer({ text, durationSeconds, audioUrl, onDone, onCancel }: TimerProps) {
  const id = useId()
  const audio = useRef<HTMLAudioElement>(null)
  const list = useRef<HTMLOListElement>(null)
  const [timing, setTiming] = useState<LyricsTiming>(() => startTiming(text, durationSeconds))
  const [playingSeconds, setPlayingSeconds] = useState(0)
  const [hasFailed, setHasFailed] = useState(false)
  const { lines, index } = timing
  const timedCount = lines.filter(({ at }) => at !== null).length
  const playingIndex = lines.findLastIndex(({ at }) => at !== null && at <= playingSeconds)

  useEffect(() => {
    const previousLine = list.current?.children[Math.max(0, index - 1)] as HTMLElement | undefined
    if (list.current && previousLine) list.current.scrollTop = previousLine.offsetTop - list.current.clientHeight / 3
  }, [index])

  const timeCurrentLine = () => setTiming((current) => setLineTime(current, audio.current?.currentTime ?? 0))
  const shift = (bySeconds: number) => setTiming((current) => shiftLineTime(current, bySeconds, durationSeconds))
  const keyHandlers: Record<string, () => void> = {
    Backspace: () => setTiming(undoLineTime),
    ArrowLeft: () => shift(-SHIFT_SECONDS),
    ArrowRight: () => shift(SHIFT_SECONDS),
  }
  function onKeyDown(event: KeyboardEvent) {
    // A key that is held down would time one line after another.
    if (event.repeat && [' ', 'Enter'].includes(event.key)) return event.preventDefault()
    const handleKey = keyHandlers[event.key]
    if (!handleKey) return
    event.preventDefault()
    handleKey()
  }
  return (
    <fieldset className="border border-gold p-4 sm:col-span-2">
      <legend className="px-2 font-label text-gold">Time the lines</legend>
      <p id={`${id}-hint`} className="text-sm text-muted">
        Play, then press Space or Enter when each line begins. Backspace undoes the last one, the left and right arrows
        move it by a tenth of a second.
      </p>
      {/* biome-ignore lint/a11y/useMediaCaption: the lyrics being timed are its captions. */}
      <audio
        ref={audio}
        src={audioUrl}
        controls
        preload="metadata"
        aria-label="The recording"
        className="mt-4 w-full"
        onTimeUpdate={(event) => setPlayingSeconds(event.currentTarget.currentTime)}
        onError={() => setHasFailed(true)}
      />
      {hasFailed && <GroupError>The recording did not load. Please close this and try again.</GroupError>}
      <div className="mt-4 flex flex-wrap items-center gap-3">
        <Button
          ref={focusOnMount}
          variant="primary"
          aria-describedby={`${id}-hint`}
          aria-disabled={index >= lines.length}
          onClick={timeCurrentLine}
          onKeyDown={onKeyDown}
        >
          Mark this line
        </Button>
        <Button disabled={index === 0} onClick={() => setTiming(undoLineTime)}>
          Undo
        </Button>
        <p role="status" className="tabular-figures text-sm text-muted">
          {timedCount} of {lines.length} lines timed
        </p>
      </div>
      <ol ref={list} aria-label="Lines" className="relative mt-4 max-h-72 overflow-y-auto border-y border-rule">
        {lines.map((line, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines can repeat, and their order does not change.
          <li key={i}>
            <button
              type="button"
              aria-current={i === index ? 'step' : undefined}
              className={clsx(
                'flex min-h-11 w-full items-baseline gap-4 border-l-2 py-2 pl-3 text-left hover:bg-sleeve-high',
                i === index ? 'border-gold bg-sleeve-high' : 'border-transparent',
                i === playingIndex && 'text-gold-bright',
              )}
              onClick={() => {
                setTiming({ lines, index: i })
                if (audio.current && line.at !== null) audio.current.currentTime = line.at
              }}
            >
              <span className="tabular-figures w-16 shrink-0 text-sm text-muted">
                {line.at === null ? '–' : formatLineTime(line.at)}
              </span>
              <span className="min-w-0 wrap-anywhere">{line.text || '♪'}</span>
            </button>
          </li>
        ))}
      </ol>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button onClick={() => onDone(toLrc(lines))}>Use these times</Button>
        <Button variant="text" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </fieldset>
  )
}

/** '1:23.45'. */
const formatLineTime = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${(Math.floor((seconds % 60) * 100) / 100).toFixed(2).padStart(5, '0')}`
