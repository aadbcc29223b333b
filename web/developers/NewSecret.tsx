import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/Button'
import { toastError } from '../ui/toast'

/** A new secret, which the server returns only once. */
export function NewSecret({ label, secret, onClose }: { label: string; secret: string; onClose: () => void }) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = () => navigator.clipboard.writeText(secret).then(() => setIsCopied(true), toastError('Copy failed'))
  return (
    <div role="status" className="mb-8 border-l-4 border-gold bg-sleeve p-5">
      <p className="font-semibold">{label}</p>
      <p className="mt-1 text-sm text-muted">Copy it now: it is not shown again.</p>
      <code className="mt-4 block wrap-anywhere select-all text-gold-bright">{secret}</code>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button variant="primary" onClick={() => void copy()}>
          {isCopied ? <Check size={18} aria-hidden /> : <Copy size={18} aria-hidden />}
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
        <Button onClick={onClose}>Done</Button>
      </div>
    </div>
  )
}
