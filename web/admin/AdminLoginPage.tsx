import '../styles/auth.css'
import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useSite } from '../site/site.queries'
import { buttonClass } from '../ui/Button'
import { AdminLoginForm } from './AdminLoginForm'

/** The door to the desk. Credentials are shown only when the server says that this is the demo (ruling 7). */
export function AdminLoginPage() {
  const demo = useSite()?.demoAdmin
  return (
    <main id="content" className="entrance">
      <div className="page-grid gap-y-10 py-10 md:py-20">
        <header className="col-span-full lg:col-span-5">
          <p className="font-label text-gold">Backstage</p>
          <h1 className="mt-4 font-display text-title">Admin login</h1>
        </header>
        <div className="col-span-full md:col-span-8 md:col-start-3 lg:col-span-6 lg:col-start-7">
          <AdminLoginForm />
          {demo && (
            <section aria-labelledby="demo-credentials" className="mt-6 border border-dashed border-rule-strong p-5">
              <h2 id="demo-credentials" className="font-label text-muted">
                Demo credentials
              </h2>
              <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
                <dt className="text-muted">Username</dt>
                <dd className="font-semibold">{demo.username}</dd>
                <dt className="text-muted">Password</dt>
                <dd className="font-semibold">{demo.password}</dd>
              </dl>
            </section>
          )}
          <Link to="/" className={buttonClass('quiet', 'mt-6 px-0!')}>
            <ArrowLeft size={18} aria-hidden />
            Back to Home
          </Link>
        </div>
      </div>
    </main>
  )
}
