import { type ComponentProps, useState } from 'react'
import { centsToDollars, parseCents } from '../lib/format'
import { TextField } from '../ui/Field'

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  /** Integer cents; null or undefined while nothing is typed. */
  value: number | null | undefined
  /** Given null for what is no amount. */
  onChange: (cents: number | null) => void
}

/** An amount in dollars, as people write it: '19.99'. What is kept is cents. */
export function DollarField({ value, onChange, ...field }: Props) {
  const [text, setText] = useState(() => (typeof value === 'number' ? centsToDollars(value) : ''))
  return (
    <TextField
      {...field}
      inputMode="decimal"
      after={<span className="text-muted">USD</span>}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(parseCents(event.target.value))
      }}
    />
  )
}
