import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button'
import { toast } from '../ui/toast'

/** Long text with a copy button. */
export function CopyText({ label, text }: { label: string; text: string }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setIsCopied(true),
      () => toast({ title: 'Copy failed', text: 'Please select the text and copy it.', tone: 'destructive' }),
    )
  return (
    <div>
      <p className="font-label text-muted">{label}</p>
      <div className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <code className="copy-text tabular-figures">{text}</code>
        <Button variant="text" className="-ml-3" aria-label={`Copy: ${label}`} onClick={() => void copy()}>
          {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <span role="status" className="sr-only">
          {isCopied && `${label}: copied`}
        </span>
      </div>
    </div>
  )
}
