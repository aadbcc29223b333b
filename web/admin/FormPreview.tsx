import { CatchBoundary } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import {
  type ComponentType,
  type ReactNode,
  Suspense,
  useDeferredValue,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { useMediaQuery } from '../lib/useMediaQuery'
import { Button } from '../ui/Button'
import { Skeleton } from '../ui/Skeleton'

/** Window widths at which the preview fits beside a form; see `form-with-preview` in admin.css. */
const WIDE_QUERY = '(width >= 72rem)'

/** Height of the frame until its content is measured. */
const INITIAL_HEIGHT_PX = 384

/** Renders the public component from a form's values, which may be incomplete. `id` is the record's, or `new`. */
export type PreviewComponent<Draft> = ComponentType<{ draft: Partial<Draft>; id: string }>

type Props<Draft> = {
  preview: PreviewComponent<Draft>
  draft: Draft
  id?: string
}

/**
 * A form with a preview of what visitors see of its record: in wide windows beside the form, in narrow ones and with
 * `isInline` where `children` renders `inlinePreview`.
 */
export function WithPreview<Draft>({
  preview,
  isInline = false,
  children,
  ...record
}: Omit<Props<Draft>, 'preview'> & {
  preview: PreviewComponent<Draft> | undefined
  isInline?: boolean
  children: (inlinePreview: ReactNode) => ReactNode
}) {
  const isWide = useMediaQuery(WIDE_QUERY)
  if (!preview) return children(null)
  if (!isWide || isInline) return children(<PreviewDisclosure preview={preview} {...record} />)
  return (
    <div className="form-with-preview">
      {children(null)}
      <aside aria-label="Preview" className="min-w-0">
        <p className="mb-3 font-label text-muted">Preview, as on a phone</p>
        <PhonePreview preview={preview} {...record} className="form-preview" />
      </aside>
    </div>
  )
}

function PreviewDisclosure<Draft>(props: Props<Draft>) {
  const [isOpen, setIsOpen] = useState(false)
  const contentId = useId()
  return (
    <aside aria-label="Preview" className="sm:col-span-2">
      <Button
        variant="text"
        className="-mx-3"
        aria-expanded={isOpen}
        aria-controls={contentId}
        onClick={() => setIsOpen(!isOpen)}
      >
        <ChevronDown size={18} aria-hidden className={isOpen ? 'rotate-180' : undefined} />
        Preview
      </Button>
      <div id={contentId} className="mt-3 empty:hidden">
        {isOpen && <PhonePreview {...props} />}
      </div>
    </aside>
  )
}

function PhonePreview<Draft>({
  preview: Preview,
  draft,
  id = 'new',
  className,
}: Props<Draft> & { className?: string }) {
  const deferredDraft = useDeferredValue(draft)
  return (
    <div className={className}>
      <CatchBoundary
        getResetKey={() => JSON.stringify(deferredDraft)}
        errorComponent={() => <p className="border border-rule p-6 text-muted">Fill in the form to see the preview.</p>}
      >
        {/* Suspense around the frame would hide the frame while loading, and it could then stay empty. */}
        <PhoneFrame>
          <Suspense fallback={<Skeleton className="h-96" label="Loading the preview" />}>
            <Preview draft={deferredDraft as Partial<Draft>} id={id} />
          </Suspense>
        </PhoneFrame>
      </CatchBoundary>
    </div>
  )
}

/** Without a doctype, the frame would be in quirks mode. */
const EMPTY_PAGE = '<!doctype html><title>Preview</title>'

/** Renders `children` in an inert frame, so that the site's media queries see the width of a phone. */
function PhoneFrame({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [body, setBody] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => (body ? copyStyles(body.ownerDocument) : undefined), [body])
  const [height, setHeight] = useState(INITIAL_HEIGHT_PX)
  const observeHeight = (content: HTMLElement | null) => {
    if (!content) return
    const frameWindow = content.ownerDocument.defaultView as (Window & typeof globalThis) | null
    const observer = new (frameWindow ?? window).ResizeObserver(() => setHeight(content.offsetHeight))
    observer.observe(content)
    return () => observer.disconnect()
  }
  return (
    // A border of the frame itself would be part of its height.
    <div className="border border-rule bg-background">
      <iframe
        ref={frame}
        title="Preview"
        srcDoc={EMPTY_PAGE}
        inert
        tabIndex={-1}
        height={height}
        className="block w-full"
        onLoad={() => setBody(frame.current?.contentDocument?.body ?? null)}
      >
        {body &&
          createPortal(
            <div ref={observeHeight} className="p-4">
              {children}
            </div>,
            body,
          )}
      </iframe>
    </div>
  )
}

const STYLE_SHEETS = 'link[rel=stylesheet], style'

/**
 * Copies this page's style sheets and accent colors to the frame, and removes the padding for fixed bars. Also copies
 * sheets that are added later, such as those of the preview's own code, until the returned function is called.
 */
function copyStyles(frame: Document): () => void {
  frame.documentElement.lang = document.documentElement.lang
  frame.documentElement.style.cssText = document.documentElement.style.cssText
  frame.body.style.paddingBottom = '0'
  const copy = (sheets: readonly Element[]) =>
    frame.head.append(...sheets.map((sheet) => frame.importNode(sheet, true)))
  copy([...document.querySelectorAll(STYLE_SHEETS)])
  const observer = new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
    copy(added.filter((node): node is Element => node instanceof Element && node.matches(STYLE_SHEETS)))
  })
  observer.observe(document.head, { childList: true })
  return () => observer.disconnect()
}
