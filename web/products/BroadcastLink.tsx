export const BroadcastLink = ({ url }: { url: string }) => (
  <p className="mt-4">
    <a
      href={url}
      target="_blank"
      rel="noopener"
      className="inline-block py-3 text-gold-bright underline decoration-gold-deep underline-offset-4 hover:decoration-current"
    >
      Join broadcast to save $5 off on merchandise
    </a>
  </p>
)
