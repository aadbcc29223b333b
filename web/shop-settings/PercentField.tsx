import { type ComponentProps, useState } from 'react'
import { TextField } from '../ui/Field'

type Props = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange'> & {
  /** Rate per 100,000: 19 % is 19000. */
  value: number | null | undefined
  /** Called with NaN while the text is not a percentage. */
  onChange: (ratePer100k: number) => void
}

/** 19000 is '19', 25500 is '25.5'. */
export const formatPercent = (ratePer100k: number): string => String(ratePer100k / 1000)

/** A percentage with up to three decimals. */
export function PercentField({ value, onChange, ...field }: Props) {
  const [text, setText] = useState(() => (typeof value === 'number' ? formatPercent(value) : ''))
  return (
    <TextField
      {...field}
      inputMode="decimal"
      after={<span className="text-muted">%</span>}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        onChange(parsePercent(event.target.value))
      }}
    />
  )
}

/** '7.5' is 7500; NaN if it is not a percentage. */
function parsePercent(text: string): number {
  const typed = text.trim().replace(',', '.').replace(/\s*%$/, '')
  return /^\d{1,3}(\.\d{1,3})?$/.test(typed) ? Math.round(Number(typed) * 1000) : Number.NaN
}
