import { fillMarks } from '../text/template.ts'
import type { NewDelivery } from './delivery.ts'

/** Fills in the number of an attempt, which the body and headers of a delivery can name. */
export function attemptOf<D extends Pick<NewDelivery, 'webhookId' | 'body' | 'plan'>>(
  delivery: D,
  attempt: number,
): D {
  const { webhookId, body, plan } = delivery
  const filled = (text: string) => fillMarks(text, webhookId, attempt)
  const { headers, faults } = plan ?? {}
  const isMarked = [headers, ...(faults ?? []).map((fault) => fault.headers)].some(
    (each) => each !== undefined && filled(JSON.stringify(each)) !== JSON.stringify(each),
  )
  return {
    ...delivery,
    body: filled(body),
    plan: isMarked ? JSON.parse(filled(JSON.stringify(plan))) : plan,
  }
}
