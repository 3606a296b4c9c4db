import { mustHaveClient } from '../clients/routes.ts'
import type { Clock } from '../clock.ts'
import type { Handlers } from '../http/handler.ts'
import type { Checkpoints } from './checkpoints.ts'
import { exportLines, type ExportPorts } from './export.ts'
import { linkHandlers, type LinkPorts } from './links.ts'

export interface AuditPorts extends LinkPorts, Omit<ExportPorts, 'checkpoint' | 'events' | 'views'> {
  readonly checkpoints: Checkpoints
  readonly views: LinkPorts['views'] & ExportPorts['views']
  readonly clock: Clock
}

type Names = 'exportAudit' | 'listAuditCheckpoints' | 'listAuditorLinks' | 'issueAuditorLink' | 'revokeAuditorLink'

export const auditHandlers = (ports: AuditPorts): Handlers<Names> => ({
  ...linkHandlers(ports),

  async exportAudit(ask) {
    const { agencyId, query } = ask
    if (query.client !== undefined) await mustHaveClient(ask, query.client)
    const { from = null, to = null, client = null, status = null, format } = query
    const at = ports.clock.now()
    const lines = exportLines(exportPorts(ports), {
      scope: { agencyId, clientId: null },
      filters: { from, to, clientId: client, status },
      format,
      at,
    })
    return { file: { name: `audit-${at.slice(0, 10)}.${format}`, kind: format, lines } }
  },

  async listAuditCheckpoints() {
    return { body: [...(await ports.checkpoints.all())] }
  },
})

export const exportPorts = ({ handler, views, signer, checkpoints }: AuditPorts): ExportPorts => ({
  events: handler.ports.events,
  views,
  signer,
  checkpoint: async () => (await checkpoints.latest())?.signed ?? null,
})
