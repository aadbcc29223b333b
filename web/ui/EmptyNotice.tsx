import type { ReactNode } from 'react'

type Props = { role?: 'status'; children: ReactNode }

/** Shown in place of content that does not exist, such as an empty list or a deleted record. */
export const EmptyNotice = ({ role, children }: Props) => (
  <div role={role} className="border border-dashed border-rule-strong p-6 text-muted">
    {children}
  </div>
)
