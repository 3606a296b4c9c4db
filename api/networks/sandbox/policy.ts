import type { Response } from 'express'

/** Sends a page under a policy of its own: no script at all; images from anywhere, as a feed shows them. */
export function sendPage(response: Response, page: string, formTarget?: string): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src https: http: data:',
    // A browser holds the redirect that answers a form to this list as well.
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  response
    .set('Content-Security-Policy', policy.join('; '))
    .set('X-Content-Type-Options', 'nosniff')
    .set('Referrer-Policy', 'no-referrer')
    .set('Cache-Control', 'no-store')
    .type('html')
    .send(page)
}
