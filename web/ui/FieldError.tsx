import type { ReactNode } from 'react'

/** The error below a group of controls, announced when it appears. */
export const FieldError = ({ id, children }: { id?: string; children: ReactNode }) => (
  <p id={id} role="alert" className="mt-2 text-sm text-sunset">
    {children}
  </p>
)
