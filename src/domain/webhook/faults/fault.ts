import type * as z from 'zod'
import type { Plain } from '../../text/objects.ts'

/** One way in which the attempts of a webhook can be wrong on purpose. Its file holds everything about it: the
 *  fields, the effect, and the sentence of the dashboard. */
export interface WebhookFault<Stored extends z.ZodRawShape, Written extends z.ZodRawShape> {
  /** The fields in a delivery's plan, as stored, as shown by the control API, and as in snapshots. */
  readonly stored: Stored
  /** The fields in scenario files and control calls; empty if only other code plans the fault. */
  readonly written: Written
  /** Turns the fields that people write into stored fields. */
  readonly read: (written: z.output<z.ZodObject<Written>>) => Plain<z.ZodObject<Stored>>
  /** Sentences for people about an attempt with this fault; none if the fields say nothing. */
  readonly sentences: (fault: Plain<z.ZodObject<Stored>>) => readonly string[]
  /** Changes the secrets, the time or the presence of the signature. */
  readonly signing?: (signing: Signing, fault: Plain<z.ZodObject<Stored>>) => Signing
  /** Changes the headers of an attempt, after signing. */
  readonly headers?: (headers: Headers, fault: Plain<z.ZodObject<Stored>>) => Headers
  /** Changes the bytes of the body, after signing. */
  readonly body?: (body: WireBody, fault: Plain<z.ZodObject<Stored>>) => WireBody
}

/** The inputs of a signature. */
export interface Signing {
  readonly webhookSecret: string
  readonly apiSecret: string
  /** Added to the signed timestamp; negative for the past. */
  readonly shiftMs: number
  /** Whether the attempt carries a signature at all. */
  readonly signed: boolean
}

export type Headers = Readonly<Record<string, string>>

/** A body on the wire. Fewer bytes sent than announced means that the connection breaks. */
export interface WireBody {
  readonly sent: Buffer
  /** The value of the header `content-length`. */
  readonly announced: number
}

/** Infers the types of a fault from its fields. */
export const webhookFault = <Stored extends z.ZodRawShape, Written extends z.ZodRawShape>(
  fault: WebhookFault<Stored, Written>,
): WebhookFault<Stored, Written> => fault
