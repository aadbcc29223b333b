import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** The error of controls without an `error` prop (`TextField` has one), announced when it appears. */
export const GroupError = ({ id, children }: { id?: string; children: ReactNode }) => (
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
