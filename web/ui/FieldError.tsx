import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** The error below a group of controls, announced when it appears. */
export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p id={id} role="alert" className="mt-2 text-sm text-sunset">
    {children}
  </p>
)

type FormErrorProps = { className?: string; children: ReactNode }

/** The error of a form, announced when it appears; renders nothing without an error. */
export const FormError = ({ className, children }: FormErrorProps) =>
  children ? (
    <p role="alert" className={clsx('text-sunset', className)}>
      {children}
    </p>
  ) : null
