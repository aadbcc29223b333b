import { Search } from 'lucide-react'
import { useId } from 'react'

type Props = { label: string; value: string; onChange: (text: string) => void }

/** A line to search a list by; the list follows while one types. */
export function SearchField({ label, value, onChange }: Props) {
  const id = useId()
  return (
    <div className="w-full max-w-sm">
      <label htmlFor={id} className="font-label text-muted">
        {label}
      </label>
      <div className="field-line">
        <Search size={18} aria-hidden className="mr-3 shrink-0 text-muted" />
        <input
          id={id}
          type="search"
          value={value}
          maxLength={200}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
