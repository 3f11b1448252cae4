import { contactText } from './contact.ts'
import type { LegalDocument } from './legal.ts'

export const PRIVACY: LegalDocument = {
  id: 'privacidad',
  title: 'Política de privacidad',
  summary: 'Qué sabemos de ti, para qué lo usamos y cómo puedes decidir sobre ello.',
  sections: [
    {
      title: 'Información que recogemos',
      body: [
        'Guardamos lo que nos das:',
        [
          'tu email, que solo ves tú y quien administra este sitio;',
          'tu alias y tu emoji, que son públicos;',
          'la zona que elijas como tuya, si eliges una, que no se muestra a nadie;',
          'las fotos de perros y los datos que escribes sobre ellos, que son públicos;',
          'tus me gusta y tus comentarios, que son públicos;',
          'si entras con Google, Facebook, Apple o GitHub, el identificador de tu cuenta allí, que no se muestra a nadie.',
        ],
        'Si enciendes los avisos en un dispositivo, guardamos la dirección y la clave que su navegador da para ellos y lo que quieres que te contemos. Al apagarlos, o al cerrar la sesión, se borran.',
        'De cada sesión abierta guardamos cuándo se abrió y el nombre del navegador y del aparato, para que la reconozcas en tu lista de sesiones. Solo la ves tú.',
        'De cada aparato con el que entras guardamos una huella irreversible y el nombre de su navegador, para avisarte por correo cuando se entra en tu cuenta desde uno nuevo. En tu registro de seguridad queda durante un año cuándo entraste y cómo, y qué cambió en tus llaves y direcciones, sin direcciones de internet. Solo lo ves tú.',
        'De cada llave de acceso guardamos su parte pública, que no sirve para entrar, el nombre que le pones, el aparato con que la creaste y cuándo la usaste. Tu huella, tu cara y tu PIN no salen de tu dispositivo. De los códigos de recuperación guardamos una huella irreversible, y de un cambio de email, la dirección anterior durante 7 días, por si no has sido tú.',
        'De cada foto borramos los datos ocultos, como el lugar o el aparato con que se hizo, antes de guardarla. De la zona de un perro guardamos el municipio o el barrio que escribes, nunca una dirección con número.',
        'Si tu perro se pierde, el punto exacto que nos des solo lo ves tú: los demás ven un círculo que movemos al azar, y lo que escribas. Al acabar la búsqueda lo borramos; un mes guardamos cuánto lo movimos.',
        'Si cuentas que has visto un perro perdido, lo que escribes, el lugar y la foto los ve solo su familia, y se borran si los retiras o cuando acaba la búsqueda; a los tres días borramos la huella de tu conexión. Si has encontrado un perro, tu aviso, con su foto y su lugar, se borra a los 30 días o cuando lo cierras, y quienes buscan uno parecido ven la foto, la zona y tu pregunta. No hace falta cuenta: en ese caso guardamos una huella irreversible de un secreto de tu aparato.',
        'Los mensajes entre quien busca y quien encuentra los leéis solo los dos, sin ver el correo ni el teléfono del otro, y se borran con el aviso. Si nos dejas un correo para saber de ellos, no lo ve nadie, no lo usamos si no lo confirmas en 24 horas y se borra con la conversación o cuando nos lo pidas. De un mensaje denunciado guardamos una copia hasta 90 días, que lee quien administra este sitio.',
        'Si denuncias algo, guardamos la denuncia, hasta un año después de resolverla, y una huella de tu conexión que deja de servir al acabar el día. Si ocultamos algo tuyo, lo guardamos, con el motivo y tu respuesta, hasta que se decida. A quién bloqueas solo lo sabes tú. Todo ello está en la copia de tus datos y se va con tu cuenta.',
        'El resumen de tu año lo calculamos con tus perros y los me gusta que reciben, y lo guardamos hasta que acaba el siguiente. Solo lo ves tú, salvo que hagas un enlace, que puedes retirar; a quien lo abre no le decimos el nombre de nadie más. Si nadie ha dado a alguien más me gusta que tú, esa persona ve tu alias en el suyo.',
        'Lo que sigues solo lo ves tú. A quien sigues le decimos cuántas personas le siguen y, si también te sigue, que eres una de ellas. Tus insignias y los retos de la semana que completas son públicos. Si creas un enlace a las razas que te faltan, quien lo tenga ve tu alias, tu emoji y esas razas hasta que lo retires.',
        'Si opinas sobre la raza de un perro, cualquiera ve tu opinión con tu alias hasta que la retires o se cierre la pregunta; 30 días después se borra.',
        'Puedes añadir un perro sin cuenta: en ese caso no guardamos quién eres.',
      ],
    },
    {
      title: 'Uso de la información',
      body: [
        'Usamos tu email para que puedas entrar y para los avisos del servicio, como el resumen semanal de lo que no has visto, que puedes dejar de recibir desde el propio mensaje o desde tu cuenta. Usamos lo demás para mostrar el álbum: los perros, su sitio en el mapa, las colecciones y la comunidad.',
        'Tu dirección IP la usamos en memoria, durante minutos, para frenar los abusos. No hay publicidad, ni perfiles comerciales, ni estadísticas de terceros.',
      ],
    },
    {
      title: 'Con quién la compartimos',
      body: [
        'Lo que es público lo puede leer cualquiera, también los buscadores y los lectores de novedades, que pueden guardar una copia durante un tiempo. Lo que se oculta o se borra deja de verse aquí al momento; las copias que ya tuviera un navegador o un buscador no están en nuestra mano.',
        'No vendemos tus datos. Solo los tratan los proveedores que hacen falta para prestar el servicio, según lo que este sitio tenga activado:',
        [
          'el servidor donde se aloja Perrario, el servicio que guarda sus fotos y el que reparte su correo;',
          'Google, Facebook, Apple o GitHub, si eliges entrar con ellos;',
          'el servicio de avisos de tu navegador (de Google, Mozilla, Apple o Microsoft), si los enciendes: los entrega cifrados, sin poder leerlos;',
          'el servicio de mapas, que recibe el nombre de una zona cuando no la conocemos o dibuja las calles;',
          'el servicio que reconoce razas, que recibe la foto sin datos tuyos cuando se detecta la raza.',
        ],
      ],
    },
    {
      title: 'Seguridad',
      body: [
        'Perrario no tiene contraseñas que se puedan robar. Los enlaces, los códigos y las sesiones se guardan cifrados de forma irreversible; los enlaces y los códigos sirven una sola vez y caducan a los 15 minutos.',
        'Ningún sistema es perfecto: si descubrimos que alguien ha accedido a tus datos, te avisaremos.',
      ],
    },
    {
      title: 'Cookies',
      body: [
        'Usamos solo las cookies que hacen falta, todas propias:',
        [
          'la de sesión, que te mantiene dentro hasta 30 días después de tu última visita, y como mucho 90;',
          'la del aparato, que dura 400 días: dice que ya entraste desde él, para que nadie pueda dejarte sin tus códigos pidiendo muchos y para avisarte de las entradas desde otros;',
          'la del menú lateral, que recuerda 7 días si lo tenías abierto;',
          'la de los formularios, que recuerda 15 minutos el email, el lugar o la opinión que escribiste y la página a la que vuelves;',
          'la del reto del día, si juegas sin cuenta: guarda 400 días las razas que probaste en los últimos veinte, que al entrar pasan a tu cuenta, menos los días que ya hubieras jugado en ella;',
          'la de lo que has visto o encontrado sin cuenta, que dura 180 días: con ella abres en ese aparato tu aviso y sus mensajes;',
          'la de la entrada con otra cuenta (Google, Facebook, Apple o GitHub), que dura lo que tardas en volver de ella, como mucho 10 minutos.',
        ],
        'Tu navegador guarda además algunas preferencias tuyas, como el borrador de un perro o los avisos ya leídos. No salen de él si no las envías. Como nada de esto sirve para seguirte, no te pedimos permiso con un aviso de cookies.',
      ],
    },
    {
      title: 'Tus derechos',
      body: [
        'Desde tu perfil puedes:',
        [
          'acceder a tus datos y descargarlos;',
          'ver tus sesiones abiertas y cerrarlas, una a una o todas a la vez;',
          'corregir tu alias, tu emoji y los datos de tus perros;',
          'borrar tu cuenta, y decidir si tus perros se van contigo o se quedan sin dueño en el álbum.',
        ],
        'También puedes oponerte a un tratamiento, pedir que se limite o reclamar ante la Agencia Española de Protección de Datos (www.aepd.es).',
      ],
    },
    {
      title: 'Conservación',
      body: [
        'Guardamos tus datos mientras tengas cuenta. Si pides borrarla, nadie ve nada tuyo desde ese momento y durante siete días puedes recuperarla; después, o antes si así lo pides, se borra para siempre. Al borrarla desaparecen tu email, tu perfil, tu zona, lo que sigues, tus insignias, tus años, tus enlaces, tus me gusta, tus comentarios, tus notificaciones, tus sesiones, tus llaves de acceso, tu registro de seguridad, tus denuncias y tus dispositivos con avisos, y los avisos que otros recibieron con tu nombre. De lo que se decidió sobre algo tuyo queda que se hizo, no de quién era. Si no podía publicar, guardamos una huella irreversible de tu email y del identificador de tu cuenta allí, como mucho dos años, para que no abras otra. Los datos de entrada caducados se borran al cabo de un día.',
        'Las copias de seguridad que haga quien administra el sitio pueden conservar datos borrados hasta que se renueven.',
      ],
    },
    {
      title: 'Cambios en esta política',
      body: [
        'Si cambiamos esta política, cambiará la fecha del principio. Si el cambio afecta a lo que hacemos con tus datos, lo anunciaremos en Perrario antes de que entre en vigor.',
      ],
    },
    {
      title: 'Contacto',
      body: [contactText('privacidad')],
    },
  ],
}
