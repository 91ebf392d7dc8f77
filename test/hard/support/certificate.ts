import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aFolder } from './load.ts'

/** A certificate that only itself vouches for, made with openssl, and where it lies. */
export interface Certificate {
  readonly file: string
  readonly cert: Buffer
  readonly key: Buffer
}

/** @param subject what it stands for, such as `IP:127.0.0.1` */
export function aCertificate(subject: string): Certificate {
  const folder = aFolder()
  const file = join(folder, 'cert.pem')
  const key = join(folder, 'key.pem')
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const about = ['-days', '1', '-subj', '/CN=receiver', '-addext', `subjectAltName=${subject}`]
  execFileSync('openssl', [...request, ...about, '-keyout', key, '-out', file], { stdio: 'ignore' })
  return { file, cert: readFileSync(file), key: readFileSync(key) }
}
