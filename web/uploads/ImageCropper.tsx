import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/Button'
import { CENTERED_CROP, type CropFrame, cropOf, type ImageCrop, MAX_CROP_ZOOM } from './image-crop'

type Props = {
  /** Label of the image, such as 'Cover'. */
  label: string
  file: Blob
  crop: ImageCrop
  /** The current frame; centered by default. */
  frame?: CropFrame
  onUse: (frame: CropFrame) => void
  onCancel: () => void
}

const clampToUnit = (value: number) => Math.min(1, Math.max(0, value))

/** Width of the preview's bitmap, which CSS scales. */
const PREVIEW_WIDTH_PX = 640

/** Chooses the part of an image that a crop takes, by dragging the image or with sliders. */
export function ImageCropper({ label, file, crop, frame: initial = CENTERED_CROP, onUse, onCancel }: Props) {
  const [frame, setFrame] = useState(initial)
  const [bitmap, setBitmap] = useState<ImageBitmap | null>(null)
  // A canvas, because the content security policy blocks an `img` from a file.
  const canvas = useRef<HTMLCanvasElement>(null)
  const dragStart = useRef<{ x: number; y: number; frame: CropFrame } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const decoded = createImageBitmap(file, { imageOrientation: 'from-image' })
    decoded.then(
      (image) => isCurrent && setBitmap(image),
      () => undefined,
    )
    return () => {
      isCurrent = false
      decoded.then(
        (image) => image.close(),
        () => undefined,
      )
    }
  }, [file])
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !bitmap) return
    const { x, y, width, height } = cropOf(bitmap, crop, frame)
    context.drawImage(bitmap, x, y, width, height, 0, 0, context.canvas.width, context.canvas.height)
  }, [bitmap, crop, frame])

  function drag(event: PointerEvent<HTMLElement>) {
    const { current: start } = dragStart
    if (!start || !bitmap) return
    const cropped = cropOf(bitmap, crop, start.frame)
    const scale = event.currentTarget.clientWidth / cropped.width
    // Without room there is nothing to drag.
    const moved = (distance: number, room: number) => (room < 1 ? 0 : distance / (room * scale))
    setFrame({
      ...start.frame,
      x: clampToUnit(start.frame.x - moved(event.clientX - start.x, bitmap.width - cropped.width)),
      y: clampToUnit(start.frame.y - moved(event.clientY - start.y, bitmap.height - cropped.height)),
    })
  }
  const release = () => {
    dragStart.current = null
  }
  return (
    <div className="grid gap-5">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${label}, as it will be cropped`}
        width={PREVIEW_WIDTH_PX}
        height={Math.round((PREVIEW_WIDTH_PX * crop.height) / crop.width)}
        className="w-full max-w-md cursor-grab touch-none bg-sleeve-high"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          dragStart.current = { x: event.clientX, y: event.clientY, frame }
        }}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={release}
      />
      <div className="grid max-w-md gap-3">
        <Slider
          label="Zoom"
          min={1}
          max={MAX_CROP_ZOOM}
          value={frame.zoom}
          onChange={(zoom) => setFrame({ ...frame, zoom })}
        />
        <Slider label="Left to right" max={1} value={frame.x} onChange={(x) => setFrame({ ...frame, x })} />
        <Slider label="Top to bottom" max={1} value={frame.y} onChange={(y) => setFrame({ ...frame, y })} />
      </div>
      <div className="flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => onUse(frame)}>
          Use this crop
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </div>
  )
}

type SliderProps = { label: string; min?: number; max: number; value: number; onChange: (value: number) => void }

const Slider = ({ label, min = 0, max, value, onChange }: SliderProps) => (
  <label className="grid grid-cols-[8rem_1fr] items-center gap-4 text-sm">
    {label}
    <input
      type="range"
      className="h-11 w-full accent-gold"
      min={min}
      max={max}
      step={0.01}
      value={value}
      onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
    />
  </label>
)
