import { once } from 'node:events'
import { SMTPServer } from 'smtp-server'
import { freePort } from './server.ts'

export interface MailServer {
  /** For SMTP_URL. */
  url: string
  /** What arrived, oldest first: the recipient and the mail as it was sent, without its soft line breaks. */
  mails: { to: string; raw: string }[]
  close: () => Promise<void>
}

/** A mail server that takes every mail. */
export async function startMailServer(): Promise<MailServer> {
  const mails: MailServer['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks)
          .toString('utf8')
          .replaceAll(/=\r?\n/g, '')
          .replaceAll('=3D', '=')
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), raw })
        done()
      })
    },
  })
  // A server that a test ends may leave connections in the middle of a mail.
  server.on('error', () => {})
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
