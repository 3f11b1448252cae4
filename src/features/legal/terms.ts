import { contactText } from './contact.ts'
import type { LegalDocument } from './legal.ts'

export const TERMS: LegalDocument = {
  id: 'terminos',
  title: 'Términos de uso',
  summary: 'Lo que puedes esperar de Perrario y lo que Perrario espera de ti.',
  sections: [
    {
      title: 'Aceptación de los términos',
      body: [
        'Al usar Perrario aceptas estos términos. Si no estás de acuerdo con ellos, no uses el servicio.',
        'Si tienes menos de 14 años, necesitas el permiso de tu madre, de tu padre o de quien te tutela para crear una cuenta.',
      ],
    },
    {
      title: 'Descripción del servicio',
      body: [
        'Perrario es un álbum de perros hecho por su comunidad: cualquiera puede mirar los perros, las razas y los perfiles; quien tiene cuenta puede además añadir y editar perros, dar me gusta, comentar y coleccionar razas.',
        'El servicio es gratuito y lo mantiene quien administra este sitio. Procuramos que esté siempre disponible, pero no podemos garantizarlo: puede haber pausas por mantenimiento o por averías.',
      ],
    },
    {
      title: 'Cuenta de usuario',
      body: [
        'Entras con tu email, mediante un enlace o un código que te enviamos, o con un servicio externo si este sitio lo ofrece. No hay contraseña que recordar.',
        'Cuida el acceso a tu correo: quien puede leerlo puede entrar en tu cuenta. No compartas los enlaces ni los códigos que recibas.',
        'Tu alias es público y debe respetar estos términos. Puedes cambiarlo, y puedes borrar tu cuenta cuando quieras desde tu perfil.',
      ],
    },
    {
      title: 'Contenido del usuario',
      body: [
        'Las fotos, los textos y los comentarios que subes siguen siendo tuyos.',
        'Al subirlos nos das permiso, gratuito y no exclusivo, para usarlos, modificarlos (por ejemplo, recortar una foto o cambiar su tamaño) y distribuirlos dentro de Perrario. El permiso termina cuando borras el contenido.',
        'Sube solo fotos que hayas hecho tú o que tengas permiso para publicar.',
      ],
    },
    {
      title: 'Conducta',
      body: [
        'Queremos un lugar amable para hablar de perros. No está permitido:',
        [
          'publicar contenido ofensivo, violento o que muestre maltrato animal;',
          'enviar spam o publicidad;',
          'infringir derechos de autor o publicar datos de otras personas;',
          'hacerse pasar por otra persona o por el dueño de un perro que no es tuyo;',
          'intentar dañar el servicio o recoger su contenido de forma masiva: para eso están los datos abiertos.',
        ],
        'Cualquier miembro puede denunciar un perro, una foto, un comentario o un perfil, y quien reciba una decisión puede responder. Quien administra el sitio puede retirar el contenido inapropiado y cerrar las cuentas que incumplan estas normas.',
      ],
    },
    {
      title: 'Privacidad',
      body: [
        'La política de privacidad explica qué datos guardamos, para qué y qué derechos tienes sobre ellos. Forma parte de estos términos.',
      ],
    },
    {
      title: 'Modificaciones',
      body: [
        'Podemos cambiar estos términos cuando el servicio cambie. La fecha de la última versión aparece al principio, y si el cambio es importante lo anunciaremos en Perrario antes de que entre en vigor.',
        'Si sigues usando Perrario después de un cambio, entendemos que lo aceptas.',
      ],
    },
    {
      title: 'Contacto',
      body: [contactText('terminos')],
    },
  ],
}
