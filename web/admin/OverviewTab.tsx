import { useQuery } from '@tanstack/react-query'
import { adminOverviewApi, type Overview } from '../../worker/contract/admin'
import { screensOf } from '../../worker/contract/admin-screens'
import { managers, type TeamRole } from '../../worker/contract/endpoint'
import { resizedImageUrl } from '../../worker/contract/images'
import { TIER_LABELS, TIERS } from '../../worker/contract/site'
import { useExportAndDownload } from '../exports/exports.queries'
import { formatCount, formatPrice, formatTimeSeconds } from '../lib/format'
import { BarChart } from '../ui/BarChart'
import { buttonClass } from '../ui/Button'
import { QueryBoundary } from '../ui/QueryBoundary'
import { adminQuery } from './admin.queries'
import { adminSessionQuery } from './admin-session'
import { DailyMetrics } from './DailyMetrics'
import { MetricCard } from './MetricCard'
import { Panel } from './Panel'
import { PendingTasksPanel } from './PendingTasksPanel'
import { quickActionsOf } from './quick-actions'
import { ScreenLink } from './ScreenLink'
import { SetupPanel } from './SetupPanel'

const overviewQuery = { ...adminQuery('overview', adminOverviewApi.overview), refetchInterval: 60_000 }

/** The dashboard's first screen. Its metrics are for managers and owners only. */
export function OverviewTab() {
  const role = useQuery(adminSessionQuery).data?.teamRole
  if (!role) return null
  return (
    <div className="grid gap-12">
      {role === 'owner' && <SetupPanel />}
      <div>
        <PendingTasksPanel />
        <QuickActions role={role} />
      </div>
      {managers.roles.some((allowedRole) => allowedRole === role) ? <OverviewMetrics /> : <RoleScreens role={role} />}
    </div>
  )
}

function QuickActions({ role }: { role: TeamRole }) {
  const actions = quickActionsOf(role)
  const download = useExportAndDownload()
  if (actions.length === 0) return null
  const className = buttonClass(undefined, 'size-full max-sm:justify-start max-sm:px-3 max-sm:text-left')
  return (
    <nav aria-label="Quick actions" className="mt-8">
      <ul className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        {actions.map(({ label, screen, params, search, exportKind, Icon }) => (
          <li key={label}>
            {exportKind ? (
              <button
                type="button"
                className={className}
                aria-disabled={download.isPending}
                onClick={() => download.isPending || download.mutate(exportKind)}
              >
                <Icon size={18} className="shrink-0" aria-hidden />
                {download.isPending ? 'Writing the file' : label}
              </button>
            ) : (
              <ScreenLink screen={screen} params={params} search={search} className={className}>
                <Icon size={18} className="shrink-0" aria-hidden />
                {label}
              </ScreenLink>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Links to the screens of a role that sees no metrics. */
function RoleScreens({ role }: { role: TeamRole }) {
  const screens = screensOf(role).filter(({ id, group }) => group && id !== 'home')
  return (
    <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
      {screens.map(({ id, label }) => (
        <li key={id}>
          <ScreenLink
            screen={id}
            className="flex min-h-16 items-center border border-rule bg-sleeve px-5 font-semibold hover:text-gold-bright"
          >
            {label}
          </ScreenLink>
        </li>
      ))}
    </ul>
  )
}

function OverviewMetrics() {
  const query = useQuery(overviewQuery)
  return (
    <QueryBoundary
      query={query}
      loading={{ label: 'Loading the figures', className: 'h-96' }}
      error="The figures could not be loaded."
    >
      {(data) => <Metrics data={data} updatedAt={query.dataUpdatedAt} isStale={query.isError} />}
    </QueryBoundary>
  )
}

function Metrics({ data, updatedAt, isStale }: { data: Overview; updatedAt: number; isStale: boolean }) {
  const { changes } = data
  return (
    <div className="grid gap-12">
      <div>
        <dl className="grid gap-x-6 gap-y-8 sm:grid-cols-2 xl:grid-cols-4">
          <MetricCard
            label="Supporters"
            value={formatCount(data.supporters)}
            change={changes.supporters}
            format={formatCount}
          />
          <MetricCard label="Streams" value={formatCount(data.streams)} change={changes.streams} format={formatCount} />
          <MetricCard
            label="Revenue"
            value={formatPrice(data.revenueCents)}
            change={changes.revenueCents}
            format={formatPrice}
          />
          <MetricCard
            label="Growth"
            value={data.growthPercent === null ? 'None yet' : `${data.growthPercent}%`}
            note="Supporters compared with 30 days ago"
          />
        </dl>
        <p className="tabular-figures mt-5 text-sm text-muted">
          As of <time dateTime={new Date(updatedAt).toISOString()}>{formatTimeSeconds(updatedAt)}</time>, updated every
          minute{isStale ? '. The last update failed.' : '.'}
        </p>
      </div>
      <DailyMetrics />
      <div className="grid gap-12 xl:grid-cols-2">
        <Panel title="Top tracks">
          <TopTracks tracks={data.topTracks} />
        </Panel>
        <div className="grid content-start gap-12">
          <Panel title="Tiers">
            <BarChart
              label="Supporters by tier"
              maxValue={100}
              bars={TIERS.map((tier) => ({
                label: TIER_LABELS[tier],
                value: data.tiers[tier],
                valueText: `${data.tiers[tier]}%`,
              }))}
            />
          </Panel>
          <Panel title="Demand by city" note="Show requests by city, one per person and city.">
            {data.cities.length === 0 ? (
              <p className="text-muted">No city requests yet.</p>
            ) : (
              <BarChart
                label="Demand by city"
                bars={data.cities.map(({ city, people }) => ({
                  label: city,
                  value: people,
                  valueText: formatCount(people),
                }))}
              />
            )}
          </Panel>
        </div>
      </div>
    </div>
  )
}

function TopTracks({ tracks }: { tracks: Overview['topTracks'] }) {
  if (tracks.length === 0) return <p className="text-muted">No tracks played yet.</p>
  return (
    <ol className="grid">
      {tracks.map(({ id, title, artist, plays, likes, coverUrl }, index) => (
        <li key={id} className="flex items-center gap-4 border-b border-rule py-3">
          <span aria-hidden="true" className="tabular-figures w-6 font-label text-gold">
            {index + 1}
          </span>
          <img src={resizedImageUrl(coverUrl, 160)} alt="" width={48} height={48} loading="lazy" />
          <span className="min-w-0 flex-1">
            <span className="block font-semibold">{title}</span>
            <span className="block text-sm text-muted">{artist}</span>
          </span>
          <span className="tabular-figures text-right text-sm">
            <span className="block">{formatCount(plays)} plays</span>
            <span className="block text-muted">{formatCount(likes)} likes</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
