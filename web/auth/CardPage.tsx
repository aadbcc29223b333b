import '../styles/account.css'
import type { ReactNode } from 'react'

/** A page with one card, such as the page of an emailed link. */
export function CardPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="content" className="auth-page">
      <div className="page-grid gap-y-10 py-10 md:py-20">
        <h1 className="col-span-full font-display text-title lg:col-span-6">{title}</h1>
        <div className="auth-form col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7">
          {children}
        </div>
      </div>
    </main>
  )
}
