import { z } from 'zod'
import { agencyReply } from './agency.ts'
import { route } from './route.ts'

const elsewhere = z.object({ /** The page to open next. */ url: z.string() })
const notSetUp = 'Card payments are not set up, or the payment provider can not be reached'

export const invoice = z.object({
  id: z.string(),
  number: z.string().nullable(),
  date: z.string(),
  amountCents: z.int(),
  currency: z.string(),
  status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']),
  pdfUrl: z.string().nullable(),
  pageUrl: z.string().nullable(),
})
export type Invoice = z.infer<typeof invoice>

export const billingRoutes = {
  openCheckout: route({
    method: 'POST',
    path: '/api/billing/checkout',
    access: 'agency',
    needs: 'owner',
    client: 'agency',
    summary: 'Open the payment page for the subscription',
    reply: elsewhere,
    status: 200,
    errors: { 409: 'There is a subscription already', 503: notSetUp },
  }),
  openPortal: route({
    method: 'POST',
    path: '/api/billing/portal',
    access: 'agency',
    needs: 'owner',
    client: 'agency',
    summary: 'Open the page where the card is changed or the subscription is canceled',
    reply: elsewhere,
    status: 200,
    errors: { 409: 'Nothing was paid yet', 503: notSetUp },
  }),
  listInvoices: route({
    method: 'GET',
    path: '/api/billing/invoices',
    access: 'agency',
    needs: 'owner',
    client: 'agency',
    summary: 'Invoices, newest first; none where card payments are not set up',
    reply: z.array(invoice),
    status: 200,
    errors: { 503: notSetUp },
  }),
  refreshSubscription: route({
    method: 'POST',
    path: '/api/billing/refresh',
    access: 'agency',
    needs: 'owner',
    client: 'agency',
    summary: 'Ask the payment provider how the subscription stands, after a payment',
    reply: agencyReply,
    status: 200,
    errors: { 503: notSetUp },
  }),
}
