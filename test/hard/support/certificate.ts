import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aFolder } from './load.ts'

const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** A certificate, made with openssl, and where it lies. */
export interface Certificate {
  readonly file: string
  readonly cert: Buffer
  readonly key: Buffer
}

/** A certificate that only itself vouches for.
 *  @param subject what it stands for, such as `IP:127.0.0.1` */
export function aCertificate(subject: string): Certificate {
  return made(['-subj', '/CN=receiver', '-addext', `subjectAltName=${subject}`])
}

/** Creates a certificate of an unknown authority, as companies have them.
 *  @param subject such as `IP:127.0.0.1` */
export function aCertificateOfAnAuthority(subject: string): Certificate & { readonly authority: string } {
  const authority = made(['-subj', '/CN=A company'])
  const certificate = made([
    ...['-subj', '/CN=receiver', '-addext', `subjectAltName=${subject}`],
    ...['-addext', 'basicConstraints=critical,CA:FALSE'],
    ...['-CA', authority.file, '-CAkey', authority.keyFile],
  ])
  return { ...certificate, authority: authority.file }
}

function made(about: readonly string[]): Certificate & { readonly keyFile: string } {
  const folder = aFolder()
  const file = join(folder, 'cert.pem')
  const keyFile = join(folder, 'key.pem')
  const request = ['req', '-x509', ...key, '-days', '1', ...about, '-keyout', keyFile, '-out', file]
  execFileSync('openssl', request, { stdio: 'ignore' })
  return { file, keyFile, cert: readFileSync(file), key: readFileSync(keyFile) }
}
