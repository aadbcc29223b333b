import { Plus, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import type { Credit } from '../../worker/contract/releases'
import { useListKeys } from '../lib/useListKeys'
import { Button } from '../ui/Button'
import { TextField } from '../ui/Field'
import { GroupError } from '../ui/FormError'

type Props = {
  value: readonly Credit[]
  onChange: (credits: Credit[]) => void
  error?: string
  /** Errors by index of the credit. */
  errors?: readonly (Partial<Record<keyof Credit, { message?: string }>> | undefined)[]
}

export function CreditsField({ value, onChange, error, errors }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const { keys, removeKey } = useListKeys(value.length)
  const update = (index: number, changes: Partial<Credit>) =>
    onChange(value.map((credit, i) => (i === index ? { ...credit, ...changes } : credit)))
  const focusLastRow = () => setTimeout(() => list.current?.querySelector<HTMLElement>('li:last-child input')?.focus())
  return (
    <fieldset className="sm:col-span-2">
      <legend className="mb-2 font-label text-muted">Credits</legend>
      <ul ref={list} className="grid gap-4">
        {value.map((credit, index) => (
          <li key={keys[index]} className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4 gap-y-3 *:min-w-0">
            <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
              <TextField
                label="Role"
                required
                placeholder="Producer"
                value={credit.role}
                error={errors?.[index]?.role?.message}
                onChange={(event) => update(index, { role: event.target.value })}
              />
              <TextField
                label="Name"
                required
                value={credit.name}
                error={errors?.[index]?.name?.message}
                onChange={(event) => update(index, { name: event.target.value })}
              />
            </div>
            <Button
              variant="text"
              aria-label={`Remove credit ${index + 1}${credit.name && `: ${credit.name}`}`}
              onClick={() => {
                removeKey(index)
                onChange(value.filter((_, i) => i !== index))
              }}
            >
              <Trash2 size={18} aria-hidden />
            </Button>
          </li>
        ))}
      </ul>
      <Button
        className={value.length > 0 ? 'mt-4' : undefined}
        onClick={() => {
          onChange([...value, { role: '', name: '' }])
          focusLastRow()
        }}
      >
        <Plus size={18} aria-hidden />
        Add a credit
      </Button>
      {error && <GroupError>{error}</GroupError>}
    </fieldset>
  )
}
