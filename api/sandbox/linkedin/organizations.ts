/**
 * The company pages that a member manages.
 * https://learn.microsoft.com/linkedin/marketing/community-management/organizations/organization-access-control-by-role
 */
import { Router } from 'express'
import { given, pageSize, type SandboxPorts } from '../ports.ts'
import { handleOf } from '../store/profiles.ts'
import { forbidden, holderOf, invalid, missing } from './answers.ts'

const reading = ['rw_organization_admin', 'r_organization_admin']

export function organizationRoutes(ports: SandboxPorts): Router {
  const { store } = ports
  const router = Router()

  router.get('/rest/organizationAcls', (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    if (!reading.some((scope) => holder.scope.split(' ').includes(scope)))
      return void forbidden(response, 'organizationAcls.FINDER-roleAssignee')
    if (given(request, 'q') !== 'roleAssignee') return void invalid(response, 'q=roleAssignee is expected')
    const [role, state] = [given(request, 'role') || 'ADMINISTRATOR', given(request, 'state') || 'APPROVED']
    const own = role === 'ADMINISTRATOR' && state === 'APPROVED' ? store.profiles.of(holder.consent).slice(1) : []
    const start = Math.max(0, Number(given(request, 'start')) || 0)
    const count = pageSize(given(request, 'count'), 10, 100)
    const elements = own
      .slice(start, start + count)
      .map(({ remoteId }) => ({ roleAssignee: holder.remoteId, role, state, organization: remoteId }))
    const href = `/rest/organizationAcls?q=roleAssignee&role=${role}&state=${state}&start=${start + count}&count=${count}`
    const links = start + count < own.length ? [{ type: 'application/json', rel: 'next', href }] : []
    response.json({ elements, paging: { start, count, links } })
  })

  router.get('/rest/organizations/:id', (request, response) => {
    const holder = holderOf(ports, request, response)
    if (!holder) return
    const { id } = request.params
    const urn = `urn:li:organization:${id}`
    const profile = store.profiles.profile('linkedin', urn)
    if (!profile || !store.profiles.covers(holder.consent, urn)) return void missing(response, urn)
    const { name } = profile
    response.json({
      id: Number(id),
      localizedName: name,
      vanityName: handleOf(profile),
      name: { localized: { en_US: name }, preferredLocale: { country: 'US', language: 'en' } },
    })
  })
  return router
}
