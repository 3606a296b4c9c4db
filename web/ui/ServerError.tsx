/** What the server refused, beside the form that was sent. What was typed stays. */
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
