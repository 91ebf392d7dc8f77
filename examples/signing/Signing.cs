// Signs and creates a checkout order and a subscription, looks an order up, and receives a webhook whose signature it
// verifies. No packages. Ends with 1 if anything is not as it should be.
// usage: as the Program.cs of a project that `dotnet new console` made: dotnet run [requestId]
//        with Mono: mcs -r:System.Net.Http -r:System.Runtime.Serialization Signing.cs && mono Signing.exe [requestId]

using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

public static class Signing
{
    static readonly string BaseUrl = Setting("PAYMENT_ORDER_BASE_URL");
    static readonly string ClientId = Setting("PAYMENT_ORDER_CLIENT_ID");
    static readonly string ApiSecret = Setting("PAYMENT_ORDER_API_SECRET");
    static readonly string AccessToken = Setting("PAYMENT_ORDER_ACCESS_TOKEN");
    static readonly string WebhookSecret = Setting("PAYMENT_ORDER_WEBHOOK_SECRET");

    static readonly HttpClient Http = new HttpClient();

    /// <summary>HMAC-SHA256 of the UTF-8 text in base64: not `BitConverter`, which gives hex.</summary>
    static string Sign(string text)
    {
        using (var mac = new HMACSHA256(Encoding.UTF8.GetBytes(ApiSecret)))
            return Convert.ToBase64String(mac.ComputeHash(Encoding.UTF8.GetBytes(text)));
    }

    /// <summary>The values as they stand in the body before JSON escapes them, not percent-encoded, not trimmed. The
    /// service's document prints a second form, which begins with `currencyId=...&amp;`; ask which one your account
    /// takes.</summary>
    static string CheckoutText(IReadOnlyDictionary<string, string> order) =>
        $"fiatAmount={order["fiatAmount"]}&requestId={order["requestId"]}";

    /// <summary>The order of the members is fixed, and an empty `trialPeriodDays` is left out.</summary>
    static string SubscriptionText(IReadOnlyDictionary<string, string> order)
    {
        var text = $"currencyId={order["currencyId"]}&{CheckoutText(order)}&interval={order["interval"]}";
        string days;
        return order.TryGetValue("trialPeriodDays", out days) && days != "" ? $"{text}&trialPeriodDays={days}" : text;
    }

    /// <summary>Why a webhook is not to be believed; null if it is genuine. These headers are those of Standard
    /// Webhooks, and an addition of the emulator: the service's document shows no way to verify a webhook (choice N38).
    /// </summary>
    /// <param name="body">What came: parsed and written anew, the same JSON would have other bytes.</param>
    static string Refusal(string id, string timestamp, string signatures, byte[] body)
    {
        if (string.IsNullOrEmpty(id) || string.IsNullOrEmpty(timestamp) || string.IsNullOrEmpty(signatures))
            return "a header is missing";
        long seconds;
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        if (!long.TryParse(timestamp, out seconds) || seconds < now - 300 || seconds > now + 300)
            return "the timestamp differs by more than five minutes";
        var key = Convert.FromBase64String(WebhookSecret.Replace("whsec_", "")); // decoded, it is the key
        using (var mac = new HMACSHA256(key))
        {
            var signed = Encoding.UTF8.GetBytes($"{id}.{timestamp}.").Concat(body).ToArray();
            var expected = Encoding.UTF8.GetBytes("v1," + Convert.ToBase64String(mac.ComputeHash(signed)));
            // While a secret is being replaced there are several signatures, with a space between them. The comparison
            // takes as long wherever the two differ: `==` would tell a forger how many characters are right.
            var genuine = signatures.Split(' ').Any(signature =>
                CryptographicOperations.FixedTimeEquals(Encoding.UTF8.GetBytes(signature), expected));
            return genuine ? null : "the signature is wrong";
        }
    }

    /// <summary>Receives webhooks: what each tells, or why it was refused.</summary>
    static async Task Receive(HttpListener listener, BlockingCollection<Tuple<string, string>> received)
    {
        while (listener.IsListening)
        {
            var context = await listener.GetContextAsync();
            var headers = context.Request.Headers; // finds a name in any case
            var body = new MemoryStream();
            await context.Request.InputStream.CopyToAsync(body);
            var reason = Refusal(
                headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"], body.ToArray());
            context.Response.StatusCode = reason == null ? 204 : 401;
            context.Response.Close();
            // The same webhook may come again: remember the `webhook-id` of what you have worked through.
            received.Add(Tuple.Create(Encoding.UTF8.GetString(body.ToArray()), reason));
        }
    }

    static Event WebhookAbout(string requestId, BlockingCollection<Tuple<string, string>> received)
    {
        var until = DateTime.UtcNow.AddSeconds(10);
        Tuple<string, string> webhook;
        while (received.TryTake(out webhook, Math.Max(0, (int)(until - DateTime.UtcNow).TotalMilliseconds)))
        {
            if (webhook.Item2 != null) throw new Failure("webhook refused: " + webhook.Item2);
            var told = FromJson<Event>(webhook.Item1);
            if (told.requestId == requestId) return told;
        }
        throw new Failure("no webhook came within 10 seconds");
    }

    static async Task<T> Call<T>(
        string path, Dictionary<string, string> body = null, string header = null, string value = null)
    {
        using (var request = new HttpRequestMessage(body == null ? HttpMethod.Get : HttpMethod.Post, BaseUrl + path))
        {
            request.Headers.Add("access-token", AccessToken);
            if (header != null) request.Headers.Add(header, value);
            if (body != null) request.Content = new StringContent(ToJson(body), Encoding.UTF8, "application/json");
            var answer = await Http.SendAsync(request);
            var text = await answer.Content.ReadAsStringAsync();
            if (!answer.IsSuccessStatusCode) throw new Failure($"{path} answered {(int)answer.StatusCode} {text}");
            return FromJson<T>(text);
        }
    }

    static async Task OrdersAndLookup(string requestId, string webhookUrl)
    {
        var registration = new Dictionary<string, string> { ["webhookUrl"] = webhookUrl };
        await Call<object>("/v1/client/webhook-url", registration, "client-id", ClientId);

        // Amounts are texts: a decimal that is formatted in another culture becomes 10,00, which is another text.
        var checkout = new Dictionary<string, string>
        {
            ["clientId"] = ClientId,
            ["requestId"] = requestId,
            ["currencyId"] = "usd_us",
            ["fiatAmount"] = "10.00",
            ["email"] = "buyer@example.com",
        };
        var created = await Call<Created>(
            "/v1/client/checkout/create-order", checkout, "signature", Sign(CheckoutText(checkout)));
        Console.WriteLine($"checkout {requestId}: {created.status}");

        var monthly = new Dictionary<string, string>(checkout)
        {
            ["requestId"] = requestId + "-monthly",
            ["interval"] = "MONTHLY",
            ["trialPeriodDays"] = "7",
        };
        created = await Call<Created>(
            "/v1/client/subscription/create-order", monthly, "signature", Sign(SubscriptionText(monthly)));
        Console.WriteLine($"subscription {monthly["requestId"]}: {created.status}");

        // In a query the values are encoded (`+` would arrive as a space), in the signed text they never are.
        var query = $"requestId={Uri.EscapeDataString(requestId)}&clientId={Uri.EscapeDataString(ClientId)}";
        var found = (await Call<Found>("/v1/client/orders?" + query)).data;
        if (found.Length != 1 || found[0].requestId != requestId) throw new Failure($"found {found.Length} orders");
        Console.WriteLine($"lookup {requestId}: {found[0].orderStatus}");
    }

    static void Main(string[] arguments)
    {
        var exitCode = Run(arguments).GetAwaiter().GetResult();
        // Mono deadlocks in `Exit` while a thread of the pool is still at the webhook's answer.
        if (Type.GetType("Mono.Runtime") != null) Thread.Sleep(200);
        // Ends the `HttpListener`, too: Mono now and then hangs in its `Close`, or does not end by itself.
        Environment.Exit(exitCode);
    }

    static async Task<int> Run(string[] arguments)
    {
        var requestId = arguments.Length > 0 ? arguments[0] : Guid.NewGuid().ToString(); // kept with your order
        var address = $"http://127.0.0.1:{FreePort()}/";
        var listener = new HttpListener();
        listener.Prefixes.Add(address);
        listener.Start();
        var received = new BlockingCollection<Tuple<string, string>>();
        _ = Receive(listener, received);
        try
        {
            await OrdersAndLookup(requestId, address + "webhooks");
            var told = WebhookAbout(requestId, received);
            Console.WriteLine($"webhook {told.requestId}: {told.orderStatus}");
            return 0;
        }
        catch (Exception failure) when (failure is Failure || failure is HttpRequestException)
        {
            Console.Error.WriteLine(failure.Message);
            return 1;
        }
    }

    /// <summary>`HttpListener` takes no port 0.</summary>
    static int FreePort()
    {
        var probe = new TcpListener(IPAddress.Loopback, 0);
        probe.Start();
        var port = ((IPEndPoint)probe.LocalEndpoint).Port;
        probe.Stop();
        return port;
    }

    // Members of JSON, so they are written as there.
    public class Created { public string status; }
    public class Event { public string requestId; public string orderStatus; }
    public class Found { public Event[] data; }

    class Failure : Exception { public Failure(string message) : base(message) { } }

    // The JSON that both .NET and Mono bring along; with .NET alone take `System.Text.Json`.

    static readonly DataContractJsonSerializerSettings Plain =
        new DataContractJsonSerializerSettings { UseSimpleDictionaryFormat = true };

    static string ToJson(Dictionary<string, string> members)
    {
        var json = new MemoryStream();
        new DataContractJsonSerializer(typeof(Dictionary<string, string>), Plain).WriteObject(json, members);
        return Encoding.UTF8.GetString(json.ToArray());
    }

    static T FromJson<T>(string json) =>
        (T)new DataContractJsonSerializer(typeof(T), Plain).ReadObject(new MemoryStream(Encoding.UTF8.GetBytes(json)));

    static string Setting(string name)
    {
        var value = Environment.GetEnvironmentVariable(name);
        if (!string.IsNullOrEmpty(value)) return value;
        Console.Error.WriteLine(name + " is not set");
        Environment.Exit(1);
        return null;
    }
}
