import { clsx } from 'clsx'
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId, useState } from 'react'

type FieldProps = {
  label: string
  /** Shown below the control and part of its accessible description. */
  hint?: ReactNode
  /** Validation message; undefined while the value is valid. */
  error?: string
}
/** Shows 'required' beside the label, for a field that users may assume is optional. */
type RequiredHintProps = { showsRequired?: boolean }
type TextFieldProps = ComponentProps<'input'> &
  FieldProps &
  RequiredHintProps & { /** Shown inside the control, at its right end. */ after?: ReactNode }
type SelectFieldProps = ComponentProps<'select'> &
  FieldProps &
  RequiredHintProps & { options: readonly { value: string; label: string }[] }

/** Labeled single-line input, marked 'optional' unless it is `required`. */
export function TextField({ after, label, hint, error, showsRequired, className, ...input }: TextFieldProps) {
  const { id, control, messages } = useField(hint, error)
  return (
    <LabeledField id={id} {...{ label, error, showsRequired, className, messages }} isOptional={!input.required}>
      <input {...control} {...input} />
      {after}
    </LabeledField>
  )
}

/** Password input with a button that shows the password. */
export function PasswordField(props: Omit<TextFieldProps, 'type' | 'after'>) {
  const [isVisible, setIsVisible] = useState(false)
  return (
    <TextField
      {...props}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      after={
        <button
          type="button"
          aria-pressed={isVisible}
          aria-label={`Show ${props.label.toLowerCase()}`}
          onClick={() => setIsVisible(!isVisible)}
          className="grid size-12 shrink-0 place-items-center text-muted hover:text-gold-bright"
        >
          {isVisible ? <EyeOff size={20} aria-hidden /> : <Eye size={20} aria-hidden />}
        </button>
      }
    />
  )
}

/** Labeled multi-line input, marked 'optional' unless it is `required`. */
export function TextAreaField({ label, hint, error, className, ...area }: ComponentProps<'textarea'> & FieldProps) {
  const { id, control, messages } = useField(hint, error)
  return (
    <LabeledField id={id} {...{ label, error, className, messages }} isOptional={!area.required}>
      <textarea {...control} rows={4} className="min-h-24 flex-1 resize-y bg-transparent py-3 outline-none" {...area} />
    </LabeledField>
  )
}

/** Labeled native select. An error replaces the hint. */
export function SelectField({ options, label, hint, error, showsRequired, className, ...select }: SelectFieldProps) {
  const { id, control, messages } = useField(error ? undefined : hint, error)
  return (
    <LabeledField id={id} {...{ label, error, showsRequired, className, messages }}>
      <select {...control} className="min-h-12 w-0 flex-1 bg-background text-ivory" {...select}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </LabeledField>
  )
}

/** Checkbox whose label is part of the press target. An error replaces the hint. */
export function CheckField({
  label,
  hint,
  error,
  className,
  ...input
}: Omit<ComponentProps<'input'>, 'type'> & FieldProps) {
  const { control, messages } = useField(error ? undefined : hint, error, '')
  return (
    <div className={className}>
      <label htmlFor={control.id} className="flex min-h-12 cursor-pointer items-center gap-4">
        <input {...control} type="checkbox" className="size-5 shrink-0 accent-gold" {...input} />
        {label}
      </label>
      {messages}
    </div>
  )
}

/** Associates a control with its error and hint for screen readers. */
function useField(hint: ReactNode, error: string | undefined, margin = 'mt-2 ') {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    control: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': describedBy || undefined },
    messages: (
      <>
        {error && (
          <p id={`${id}-error`} className={`${margin}text-sm text-sunset`}>
            {error}
          </p>
        )}
        {hint && (
          <div id={`${id}-hint`} className={`${margin}text-sm text-muted`}>
            {hint}
          </div>
        )}
      </>
    ),
  }
}

type LabeledFieldProps = Omit<FieldProps, 'hint'> &
  RequiredHintProps & {
    id: string
    className?: string
    isOptional?: boolean
    messages: ReactNode
    children: ReactNode
  }

function LabeledField({
  id,
  label,
  error,
  showsRequired,
  className,
  isOptional = false,
  messages,
  children,
}: LabeledFieldProps) {
  return (
    <div className={className}>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-label text-muted">
          {label}
        </label>
        {isOptional && <span className="text-xs text-muted">optional</span>}
        {showsRequired && <span className="text-xs text-gold-bright">required</span>}
      </div>
      <div className={clsx('field-line', error && 'field-line-invalid')}>{children}</div>
      {messages}
    </div>
  )
}
