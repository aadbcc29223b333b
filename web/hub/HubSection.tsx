import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Me } from '../../worker/contract/auth'
import { useSession } from '../auth/auth.queries'
import { retryImport, sectionModule, useNearViewport } from '../lib/lazy-section'
import { QueryBoundary } from '../ui/QueryBoundary'
import { Section } from '../ui/Section'
import { Skeleton } from '../ui/Skeleton'

const hubModule = sectionModule('supporter-hub', () => import('./SupporterHub'))
const previewModule = sectionModule('hub-preview', () => import('./HubPreview'))

/** Home page section: a supporter's hub, or a preview of it for visitors. The code loads near the viewport. */
export function HubSection() {
  const { me, isPending } = useSession()
  const [element, setElement] = useState<HTMLElement | null>(null)
  const isNear = useNearViewport(element)
  return (
    <Section id="smart-features" isNumbered title="Supporter Hub" note="Points from day one">
      {me ? (
        <SupporterView key={me.id} me={me} isNear={isNear} placeholderRef={setElement} />
      ) : (
        <VisitorView isNear={isNear && !isPending} placeholderRef={setElement} />
      )}
    </Section>
  )
}

type ViewProps = { isNear: boolean; placeholderRef: (element: HTMLElement | null) => void }

/** Loads the hub near the viewport, or when the supporter earns points: the hub contains their celebration. */
function SupporterView({ me, isNear, placeholderRef }: ViewProps & { me: Me }) {
  const [initialPoints] = useState(me.points)
  const module = useQuery({ ...hubModule, enabled: isNear || me.points !== initialPoints })
  return (
    <HubBoundary module={module} placeholderRef={placeholderRef} className="hub-placeholder">
      {({ SupporterHub }) => <SupporterHub me={me} initialPoints={initialPoints} />}
    </HubBoundary>
  )
}

function VisitorView({ isNear, placeholderRef }: ViewProps) {
  const module = useQuery({ ...previewModule, enabled: isNear })
  return (
    <HubBoundary module={module} placeholderRef={placeholderRef} className="hub-preview-placeholder">
      {({ HubPreview }) => <HubPreview />}
    </HubBoundary>
  )
}

type HubBoundaryProps<Module> = Pick<ViewProps, 'placeholderRef'> & {
  module: {
    data: Module | undefined
    isError: boolean
    isFetching: boolean
    refetch: () => Promise<{ isError: boolean }>
  }
  className: string
  children: (module: Module) => ReactNode
}

function HubBoundary<Module>({ module, placeholderRef, className, children }: HubBoundaryProps<Module>) {
  return (
    <QueryBoundary
      query={{ ...module, refetch: () => retryImport(module.refetch) }}
      loading={
        // Links to the polls scroll here while the hub loads.
        <div ref={placeholderRef} id="community-voting" tabIndex={-1} className="col-span-full outline-none">
          <Skeleton className={className} label={module.isFetching ? 'Loading the hub' : undefined} />
        </div>
      }
      error="The hub could not be loaded."
      errorClassName="col-span-full"
    >
      {children}
    </QueryBoundary>
  )
}
