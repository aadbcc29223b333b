import { clsx } from 'clsx'
import { ArrowLeft, ArrowRight, Pause, Play } from 'lucide-react'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useReducedMotion } from '../lib/useReducedMotion'
import { ResponsiveImage } from './ResponsiveImage'
import { Tooltip } from './Tooltip'

type Props = {
  /** Accessible name. */
  label: string
  images: readonly { url: string; alt: string }[]
  sizes: string
  className?: string
}

const controlClass =
  'grid size-12 place-items-center border border-rule-strong hover:border-gold hover:text-gold-bright'

/** Square images that advance automatically, by swipe or by button (ARIA carousel pattern). */
export function Carousel({ label, images, sizes, className }: Props) {
  const strip = useRef<HTMLDivElement>(null)
  const { index, playing, reducedMotion, show, togglePlaying, setPaused } = useSlides(images.length, strip)
  const scrollEndTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const isTouched = useRef(false)
  // Target of the programmatic scroll, until it is reached or the visitor scrolls.
  const targetIndex = useRef<number | null>(null)

  const scrollToSlide = useCallback(
    (to: number) => {
      const list = strip.current
      if (!list?.clientWidth) return
      const left = to * list.clientWidth
      // A pending scroll may not have started yet, so it must be replaced.
      if (targetIndex.current === null && Math.abs(list.scrollLeft - left) <= 1) return
      targetIndex.current = to
      list.scrollTo({ left, behavior: reducedMotion ? 'instant' : 'smooth' })
    },
    [reducedMotion],
  )
  const scrolledIndex = useRef(0)
  useEffect(() => {
    // At first there is nothing to scroll, and reading sizes would force a layout.
    if (index === scrolledIndex.current) return
    scrolledIndex.current = index
    scrollToSlide(index)
  }, [scrollToSlide, index])
  useEffect(() => () => clearTimeout(scrollEndTimer.current), [])

  // Scrolls even to the current slide, because the visitor may have scrolled the strip.
  const choose = (next: number) => {
    clearTimeout(scrollEndTimer.current)
    show(next)
    scrollToSlide((next + images.length) % images.length)
  }
  const clearTarget = () => {
    targetIndex.current = null
  }

  // After a swipe, selects the slide on screen; after an interrupted programmatic scroll, continues the scroll.
  const onScroll = () => {
    clearTimeout(scrollEndTimer.current)
    if (isTouched.current) return
    scrollEndTimer.current = setTimeout(() => {
      const list = strip.current
      if (!list?.clientWidth) return
      const position = Math.round(list.scrollLeft / list.clientWidth)
      if (targetIndex.current !== null && targetIndex.current !== position) return scrollToSlide(targetIndex.current)
      targetIndex.current = null
      show(position)
    }, SCROLL_END_DELAY_MS)
  }
  const touchHandler = (touched: boolean) => () => {
    isTouched.current = touched
    clearTarget()
    onScroll()
  }
  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      className={className}
      onWheel={clearTarget}
      onKeyDown={(event) => event.target === strip.current && clearTarget()}
      onPointerEnter={(event) => event.pointerType === 'mouse' && setPaused('pointer', true)}
      onPointerLeave={() => setPaused('pointer', false)}
      onFocus={() => setPaused('focus', true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && setPaused('focus', false)}
    >
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard.
        tabIndex={0}
        ref={strip}
        onScroll={onScroll}
        onTouchStart={touchHandler(true)}
        onTouchEnd={touchHandler(false)}
        onTouchCancel={touchHandler(false)}
        aria-live={playing ? 'off' : 'polite'}
        className="slides"
      >
        {images.map(({ url, alt }, slideIndex) => (
          // biome-ignore lint/a11y/useSemanticElements: the carousel pattern's role of a slide.
          <div
            key={url}
            role="group"
            aria-roledescription="slide"
            aria-label={`${slideIndex + 1} of ${images.length}`}
            aria-hidden={slideIndex !== index}
          >
            <ResponsiveImage src={url} alt={alt} sizes={sizes} className="size-full object-cover" />
          </div>
        ))}
      </div>
      {images.length > 1 && (
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <Tooltip label={playing ? 'Pause' : 'Play'}>
            <button
              type="button"
              onClick={togglePlaying}
              className={controlClass}
              aria-label={playing ? 'Pause the pictures' : 'Play the pictures'}
            >
              {playing ? <Pause size={20} aria-hidden /> : <Play size={20} aria-hidden />}
            </button>
          </Tooltip>
          <ul aria-label="Choose a picture" className="mr-auto flex">
            {images.map(({ url }, slideIndex) => (
              <li key={url}>
                <button
                  type="button"
                  aria-label={`Picture ${slideIndex + 1}`}
                  aria-current={slideIndex === index || undefined}
                  onClick={() => choose(slideIndex)}
                  className="group grid size-12 place-items-center"
                >
                  <span
                    className={clsx(
                      'h-1 w-8 transition duration-200 ease-out',
                      slideIndex === index
                        ? 'bg-gold forced-colors:bg-[Highlight]'
                        : 'bg-rule-strong group-hover:bg-ivory forced-colors:bg-[CanvasText]',
                    )}
                  />
                </button>
              </li>
            ))}
          </ul>
          <button
            type="button"
            onClick={() => choose(index - 1)}
            className={controlClass}
            aria-label="Previous picture"
          >
            <ArrowLeft size={20} aria-hidden />
          </button>
          <button type="button" onClick={() => choose(index + 1)} className={controlClass} aria-label="Next picture">
            <ArrowRight size={20} aria-hidden />
          </button>
        </div>
      )}
    </section>
  )
}

const SLIDE_INTERVAL_MS = 3000
const SCROLL_END_DELAY_MS = 120

type PauseReason = 'pointer' | 'focus' | 'off-screen'

/**
 * The current one of `count` slides. Advances while visible, unless paused, hovered or focused; the play button
 * overrides hover and focus. With reduced motion, it advances only after a press of the play button.
 */
function useSlides(count: number, strip: RefObject<HTMLElement | null>) {
  const reducedMotion = useReducedMotion()
  const [index, setIndex] = useState(0)
  const [pauseReasons, setPauseReasons] = useState<readonly PauseReason[]>(['off-screen'])
  const isPaused = pauseReasons.length > 0
  const [playRequested, setPlayRequested] = useState<boolean | null>(null)
  const playing = count > 1 && (playRequested ?? !reducedMotion)

  const setPaused = useCallback(
    (reason: PauseReason, isActive: boolean) =>
      setPauseReasons((reasons) => [...reasons.filter((each) => each !== reason), ...(isActive ? [reason] : [])]),
    [],
  )
  useEffect(() => {
    if (!strip.current) return
    const observer = new IntersectionObserver((entries) => setPaused('off-screen', !entries.at(-1)?.isIntersecting))
    observer.observe(strip.current)
    return () => observer.disconnect()
  }, [strip, setPaused])
  useEffect(() => {
    if (!playing || isPaused) return
    const timer = setTimeout(() => setIndex((index + 1) % count), SLIDE_INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [playing, isPaused, index, count])

  return {
    index,
    playing,
    reducedMotion,
    /** Selects a slide; the index wraps around. */
    show: (next: number) => setIndex((next + count) % count),
    togglePlaying: () => {
      setPlayRequested(!playing)
      setPauseReasons([])
    },
    setPaused,
  }
}
