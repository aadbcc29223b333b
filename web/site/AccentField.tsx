import { useQuery } from '@tanstack/react-query'
import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useId } from 'react'
import { accentContrast, MIN_CONTRAST } from '../../worker/contract/appearance'
import { resizedImageUrl } from '../../worker/contract/images'
import { allReleases } from '../releases/releases.queries'
import { TextField } from '../ui/Field'
import { loadAccentColors } from './cover-colors'

/** `--color-gold` of web/styles/index.css as hex. */
const DEFAULT_ACCENT = '#e7bc58'
const MAX_COVERS = 4
const HEX_COLOR = /^#[0-9a-f]{6}$/i

type Props = { value: string | null; onChange: (accent: string | null) => void; error?: string }

/** The accent color: gold, one from a cover, or any that is readable. */
export function AccentField({ value, onChange, error }: Props) {
  const id = useId()
  const { data: releases = [] } = useQuery(allReleases)
  const covers = [...new Map(releases.map((release) => [release.coverUrl, release])).values()].slice(0, MAX_COVERS)
  const contrast = value !== null && HEX_COLOR.test(value) ? accentContrast(value) : null
  return (
    <fieldset className="min-w-0">
      <legend className="font-label text-muted">Accent color</legend>
      <p className="mt-1 max-w-prose text-sm text-muted">
        For buttons, links and headings. Colors from your covers are lightened until they are readable.
      </p>
      <ul className="mt-4 grid gap-3">
        <li className="flex items-center gap-4">
          <Swatch color={DEFAULT_ACCENT} label="Gold" isChosen={value === null} onChoose={() => onChange(null)} />
          Gold, the default
        </li>
        {covers.map(({ coverUrl, title }) => (
          <CoverSwatches key={coverUrl} {...{ coverUrl, title, value, onChange }} />
        ))}
      </ul>
      <div className="mt-5 flex items-end gap-4">
        <TextField
          label="Another color"
          className="w-64 max-w-full"
          placeholder={DEFAULT_ACCENT}
          value={value ?? ''}
          error={error}
          aria-describedby={`${id}-contrast`}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        />
        <input
          type="color"
          aria-label="Pick another color"
          value={contrast === null ? DEFAULT_ACCENT : (value ?? DEFAULT_ACCENT)}
          onChange={(event) => onChange(event.target.value)}
          className="mb-1 h-12 w-16 cursor-pointer bg-transparent"
        />
      </div>
      <p id={`${id}-contrast`} role="status" className="tabular-figures mt-2 text-sm text-muted">
        {contrast !== null && `Contrast ${contrast.toFixed(1)} : 1. Text needs at least ${MIN_CONTRAST} : 1.`}
      </p>
    </fieldset>
  )
}

type CoverProps = Omit<Props, 'error'> & { coverUrl: string; title: string }

function CoverSwatches({ coverUrl, title, value, onChange }: CoverProps) {
  const url = resizedImageUrl(coverUrl, 160)
  const { data: colors, isError } = useQuery({
    queryKey: ['cover-colors', url],
    queryFn: () => loadAccentColors(url),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (isError || colors?.length === 0) return null
  return (
    <li className="flex flex-wrap items-center gap-3">
      <img src={url} alt="" width={48} height={48} className="size-12 object-cover" />
      {colors?.map((color) => (
        <Swatch
          key={color}
          color={color}
          label={`${color} from ${title}`}
          isChosen={value === color}
          onChoose={() => onChange(color)}
        />
      ))}
      <span className="min-w-0 truncate text-sm text-muted">{title}</span>
    </li>
  )
}

type SwatchProps = { color: string; label: string; isChosen: boolean; onChoose: () => void }

const Swatch = ({ color, label, isChosen, onChoose }: SwatchProps) => (
  <button
    type="button"
    aria-pressed={isChosen}
    aria-label={label}
    title={label}
    onClick={onChoose}
    style={{ backgroundColor: color }}
    className={clsx(
      'grid size-12 shrink-0 place-items-center rounded-full border-2 text-background',
      isChosen ? 'border-ivory' : 'border-transparent hover:border-rule-strong',
    )}
  >
    {isChosen && <Check size={22} strokeWidth={3} aria-hidden />}
  </button>
)
