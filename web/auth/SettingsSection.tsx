import { type ReactNode, useId } from 'react'

/** A row of the account page: its title on the left, its controls on the right. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="col-span-full grid grid-cols-subgrid border-t border-rule py-8 md:py-10">
      <h2 id={id} className="col-span-full mb-5 font-display text-xl lg:col-span-4">
        {title}
      </h2>
      <div className="col-span-full lg:col-span-8">{children}</div>
    </section>
  )
}
