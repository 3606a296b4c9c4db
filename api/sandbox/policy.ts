/** The headers and the access rules of pages for users. */
import type { RequestHandler, Response } from 'express'
import { problemPage } from './pages/frame.ts'
import type { SandboxPorts } from './ports.ts'

const strangers =
  'Only people who use SocialAI here can see this. Sign in to SocialAI in this browser, then open this page again.'

/** Runs before a page that only permitted visitors may see. */
export const forPeople =
  ({ base, mayLook }: Pick<SandboxPorts, 'base' | 'mayLook'>): RequestHandler =>
  async (request, response, next) => {
    if (await mayLook(request)) return next()
    sendPage(response.status(403), problemPage(base, 'Sign in first', strangers))
  }

/** Sends a page with its own content security policy: no script; images from anywhere, because a feed shows them. */
export function sendPage(response: Response, page: string, formTarget?: string): void {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src https: http: data:',
    // A browser also applies this list to the redirect that answers a form.
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
