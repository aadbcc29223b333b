import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Command } from 'cmdk'
import { CalendarDays, Disc3, type LucideIcon, Package, Search, ShoppingBag, User } from 'lucide-react'
import { useEffect, useState } from 'react'
import { screensOf } from '../../worker/contract/admin-screens'
import { adminSearchApi, MIN_SEARCH_LENGTH, SEARCH_KINDS, type SearchHit } from '../../worker/contract/admin-search'
import type { TeamRole } from '../../worker/contract/endpoint'
import { TIER_LABELS } from '../../worker/contract/site'
import { call } from '../api/call'
import { useExportAndDownload } from '../exports/exports.queries'
import { formatCountOf } from '../lib/format'
import { Dialog } from '../ui/Dialog'
import { useOpenDashboardUrl } from './DashboardLink'
import { quickActionsOf } from './quick-actions'
import { toScreen } from './screen-location'
import { SCREEN_VIEWS } from './screens'

const HIT_KINDS: Readonly<Record<SearchHit['kind'], { heading: string; Icon: LucideIcon }>> = {
  supporter: { heading: 'Supporters', Icon: User },
  order: { heading: 'Orders', Icon: Package },
  track: { heading: 'Tracks', Icon: Disc3 },
  show: { heading: 'Shows', Icon: CalendarDays },
  product: { heading: 'Products', Icon: ShoppingBag },
}

const TYPING_PAUSE_MS = 150

/** Searches screens, actions and records, and opens the chosen one. */
export function CommandPalette({ role, onClose }: { role: TeamRole | null; onClose: () => void }) {
  const [text, setText] = useState('')
  const searchText = useDebounced(text.trim())
  const isSearch = searchText.length >= MIN_SEARCH_LENGTH
  const query = useQuery({
    queryKey: ['admin', 'search', searchText],
    queryFn: () => call(adminSearchApi.search, {}, { search: `?q=${encodeURIComponent(searchText)}` }),
    enabled: isSearch,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
  const openUrl = useOpenDashboardUrl()
  const navigate = useNavigate()
  const download = useExportAndDownload()
  const closeAndOpen = (href: string) => {
    onClose()
    openUrl(href)
  }
  const screens = screensOf(role).filter(
    ({ group, label }) => group && label.toLowerCase().includes(text.trim().toLowerCase()),
  )
  const actions = quickActionsOf(role).filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
  const hits = isSearch ? (query.data ?? []) : []
  const isEmpty = screens.length === 0 && actions.length === 0 && hits.length === 0
  return (
    <Dialog title="Search the dashboard" className="palette" onClose={onClose}>
      <Command label="Search the dashboard" shouldFilter={false} loop>
        <div className="flex items-center gap-3 border-b border-rule pr-14 pl-4">
          <Search size={18} aria-hidden className="shrink-0 text-muted" />
          <Command.Input
            value={text}
            onValueChange={setText}
            placeholder="Screen, supporter, order, track, show or product"
            className="min-h-14 min-w-0 flex-1 bg-transparent outline-none placeholder:text-muted"
          />
        </div>
        <Command.List label="Results" className="max-h-[60dvh] overflow-y-auto p-2">
          {screens.length > 0 && (
            <Command.Group heading="Screens" className="palette-group">
              {screens.map(({ id, label, path }) => (
                <Item
                  key={id}
                  value={`screen ${id}`}
                  Icon={SCREEN_VIEWS[id].Icon}
                  title={label}
                  onSelect={() => closeAndOpen(path)}
                />
              ))}
            </Command.Group>
          )}
          {actions.length > 0 && (
            <Command.Group heading="Actions" className="palette-group">
              {actions.map(({ label, screen, params, search, exportKind, Icon }) => (
                <Item
                  key={label}
                  value={`action ${label}`}
                  Icon={Icon}
                  title={label}
                  onSelect={() => {
                    onClose()
                    if (exportKind) download.mutate(exportKind)
                    else void navigate(toScreen(screen, { params, search }))
                  }}
                />
              ))}
            </Command.Group>
          )}
          {SEARCH_KINDS.map((kind) => {
            const found = hits.filter((hit) => hit.kind === kind)
            return (
              found.length > 0 && (
                <Command.Group key={kind} heading={HIT_KINDS[kind].heading} className="palette-group">
                  {found.map((hit) => (
                    <Item
                      key={hit.id}
                      value={`${kind} ${hit.id}`}
                      Icon={HIT_KINDS[kind].Icon}
                      title={hit.title}
                      detail={detailOf(hit)}
                      onSelect={() => closeAndOpen(hit.href)}
                    />
                  ))}
                </Command.Group>
              )
            )
          })}
        </Command.List>
        <p role="status" className="px-4 pb-4 text-sm text-muted empty:hidden">
          {statusText({
            isEmpty,
            searchText,
            isPending: isSearch && query.isFetching,
            isFailed: isSearch && query.isError,
          })}
        </p>
      </Command>
    </Dialog>
  )
}

type ItemProps = { value: string; Icon: LucideIcon; title: string; detail?: string; onSelect: () => void }

const Item = ({ value, Icon, title, detail, onSelect }: ItemProps) => (
  <Command.Item value={value} onSelect={onSelect} className="palette-item">
    <Icon size={18} aria-hidden className="shrink-0 text-muted" />
    <span className="flex min-w-0 flex-1 flex-col gap-x-4 py-1 sm:flex-row sm:items-baseline sm:justify-between">
      <span className="truncate">{title}</span>
      {detail && <span className="tabular-figures truncate text-sm text-muted sm:shrink-0">{detail}</span>}
    </span>
  </Command.Item>
)

/** 'a…@mail.example, Gold, 1,240 points' */
const detailOf = ({ detail, tier, points }: SearchHit) =>
  [detail, tier && TIER_LABELS[tier], points !== undefined && formatCountOf(points, 'point')].filter(Boolean).join(', ')

type Status = { isEmpty: boolean; searchText: string; isPending: boolean; isFailed: boolean }

function statusText({ isEmpty, searchText, isPending, isFailed }: Status): string {
  if (isFailed) return 'Search failed. Type again to retry.'
  if (!isEmpty) return ''
  if (isPending) return 'Searching'
  return searchText.length < MIN_SEARCH_LENGTH
    ? 'Type at least two characters.'
    : `No results for “${searchText}”. Try part of the name.`
}

/** Returns the text as it was at the last pause in typing. */
function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
