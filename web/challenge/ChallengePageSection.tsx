import { type ReactNode, useId } from 'react'

type Props = { title: string; id?: string; children: ReactNode }

export function ChallengePageSection({ title, id, children }: Props) {
  const headingId = useId()
  return (
    <section id={id} aria-labelledby={headingId} className="min-w-0">
      <h2 id={headingId} className="mb-6 border-t-2 border-gold pt-4 font-display text-xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
