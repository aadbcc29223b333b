import { TokensPanel } from './TokensPanel'
import { WebhooksPanel } from './WebhooksPanel'

/** Access tokens and webhooks, for owners. */
export function DevelopersTab() {
  return (
    <div className="grid grid-cols-1 gap-16">
      <p className="max-w-prose text-muted">
        Connect your own tools to the site: scripts read and change it with an access token, and webhooks tell them what
        happens.{' '}
        <a href="/developers" className="text-gold-bright underline underline-offset-4">
          Guide and reference
        </a>
      </p>
      <TokensPanel />
      <WebhooksPanel />
    </div>
  )
}
