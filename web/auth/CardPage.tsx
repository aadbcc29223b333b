import '../styles/auth.css'
import type { ReactNode } from 'react'

/** A page with one thing to do: what a mail's link opens. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" className="entrance">
      <div className="page-grid gap-y-10 py-10 md:py-20">
        <h1 className="col-span-full font-display text-title lg:col-span-6">{title}</h1>
        <div className="entrance-form col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7">
          {children}
        </div>
      </div>
    </main>
  )
}
