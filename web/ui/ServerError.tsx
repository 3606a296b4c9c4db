/** The server's refusal, beside the form. The typed values stay. */
export function ServerError({ message }: { readonly message: string | null }) {
  return (
    <div aria-live="polite" className="empty:-mt-4">
      {message !== null && (
        <p data-testid="form-error" className="rounded-control bg-rejected-soft px-3 py-2 text-rejected-ink">
          {message}
        </p>
      )}
    </div>
  )
}
