/** How pages for people are sent, and who gets them. */
import type { RequestHandler, Response } from 'express'
import { problemPage } from './pages/frame.ts'
import type { SandboxPorts } from './ports.ts'

const strangers =
  'Only people who use SocialAI here can see this. Sign in to SocialAI in this browser, then open this page again.'

/** Before a page that strangers may not see. */
export const forPeople =
  ({ base, mayLook }: Pick<SandboxPorts, 'base' | 'mayLook'>): RequestHandler =>
  async (request, response, next) => {
    if (await mayLook(request)) return next()
    sendPage(response.status(403), problemPage(base, 'Sign in first', strangers))
  }

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
